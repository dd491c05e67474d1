import { randomBytes } from 'node:crypto';
import { admin, createTenant } from '../support/client.js';
import { expectInvalid, expectProblem } from './problem.js';

const newModel = () => `model-${randomBytes(6).toString('hex')}`;
const PRICE = { inputPerMTok: '2.5', outputPerMTok: '10' };
const agentWith = (model: string, more: object = {}) => ({
  name: 'agent',
  instructions: 'Help.',
  model: { provider: 'openai-compatible', model, baseUrl: 'http://127.0.0.1:9/v1', ...more },
  tools: [],
});

describe('the price of a model', () => {
  test('is shown with at least six decimals and all of its digits, version after version', async () => {
    const path = `/admin/v1/models/openai-compatible/${newModel()}`;
    const body = {
      ...PRICE,
      cachedInputPerMTok: '0.0375',
      cacheWritePerMTok: '0.000000000001',
      contextWindow: 8_192,
    };
    const first = await admin().expect(200, admin().put(path, body));
    expect(first).toEqual({
      provider: 'openai-compatible',
      model: path.split('/').at(-1),
      version: 1,
      validFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      inputPerMTok: '2.500000',
      cachedInputPerMTok: '0.037500',
      cacheWritePerMTok: '0.000000000001',
      outputPerMTok: '10.000000',
      contextWindow: 8_192,
      maxOutputTokens: null,
    });
    const second = await admin().expect(
      200,
      admin().put(path, { ...PRICE, validFrom: '2030-01-01T00:00:00+01:00' }),
    );
    expect(second).toMatchObject({
      version: 2,
      validFrom: '2029-12-31T23:00:00.000Z',
      cachedInputPerMTok: null,
    });
  });

  test('may belong to a model whose name has a slash', async () => {
    const model = `vendor/${newModel()}`;
    const path = `/admin/v1/models/openai-compatible/${encodeURIComponent(model)}`;
    expect(await admin().expect(200, admin().put(path, PRICE))).toMatchObject({ model });
  });

  test.each<[string, object, string]>([
    ['a number', { ...PRICE, inputPerMTok: 2.5 }, '/inputPerMTok'],
    ['negative', { ...PRICE, inputPerMTok: '-1' }, '/inputPerMTok'],
    ['an exponent', { ...PRICE, outputPerMTok: '1e3' }, '/outputPerMTok'],
    ['missing', { inputPerMTok: '1' }, '/outputPerMTok'],
    ['no time', { ...PRICE, validFrom: 'tomorrow' }, '/validFrom'],
    ['no count', { ...PRICE, maxOutputTokens: 0 }, '/maxOutputTokens'],
    ['unknown', { ...PRICE, perImage: '1' }, '/perImage'],
  ])('that is %s is refused with its path', async (_what, body, path) => {
    expectInvalid(await admin().put(`/admin/v1/models/openai/${newModel()}`, body), path);
  });

  test('is the operator’s alone', async () => {
    const { api } = await createTenant();
    expectProblem(await api.put(`/admin/v1/models/openai/${newModel()}`, PRICE), 401, 'unauthorized');
  });

  test('of no provider that there is, is not found', async () => {
    expectProblem(await admin().put(`/admin/v1/models/nobody/${newModel()}`, PRICE), 404, 'not_found');
  });
});

describe('an agent', () => {
  test('is refused while its model has no price, and taken once it has one', async () => {
    const model = newModel();
    const { api } = await createTenant();
    const agent = agentWith(model, { maxOutputTokens: 500 });
    expectProblem(await api.post('/v1/agents', agent), 422, 'model_unpriced');
    await admin().expect(200, admin().put(`/admin/v1/models/openai-compatible/${model}`, PRICE));
    await api.expect(201, api.post('/v1/agents', agent));
  });

  test('is refused while nobody says how long a reply may be', async () => {
    const model = newModel();
    const path = `/admin/v1/models/openai-compatible/${model}`;
    const { api } = await createTenant();
    await admin().expect(200, admin().put(path, PRICE));
    expectProblem(await api.post('/v1/agents', agentWith(model)), 422, 'max_output_tokens_required');
    await admin().expect(200, admin().put(path, { ...PRICE, maxOutputTokens: 4_096 }));
    await api.expect(201, api.post('/v1/agents', agentWith(model)));
  });

  test('is refused while a price is not yet valid', async () => {
    const model = newModel();
    const { api } = await createTenant();
    const later = { ...PRICE, validFrom: '2999-01-01T00:00:00Z' };
    await admin().expect(200, admin().put(`/admin/v1/models/openai-compatible/${model}`, later));
    const agent = agentWith(model, { maxOutputTokens: 500 });
    expectProblem(await api.post('/v1/agents', agent), 422, 'model_unpriced');
  });
});
