import { type Api, createTenant } from '../support/client.js';
import { openDatabase } from '../support/database.js';
import { sharedStack } from '../support/stack.js';
import { expectInvalid, expectProblem } from './problem.js';

const agentWith = (model: object) => ({ name: 'agent', instructions: 'Help.', model, tools: [] });
const OPENAI = { provider: 'openai', api: 'chat', model: 'gpt-4o-mini' };

const save = (api: Api, provider: string, body: object) => api.put(`/v1/providers/${provider}`, body);

describe('a provider key', () => {
  test('is stored and never shown again, sealed in the database', async () => {
    const { api, tenant } = await createTenant();
    const apiKey = 'sk-never-shown-0123456789';
    const saved = await save(api, 'openai', { apiKey });
    expect([saved.status, saved.body]).toEqual([
      200,
      { provider: 'openai', baseUrl: null, createdAt: expect.any(String), updatedAt: expect.any(String) },
    ]);
    const database = openDatabase(sharedStack().databaseName);
    const rows = await database.query<object>('SELECT * FROM provider_credentials WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('never-shown');
  });

  test('takes the place of the former one', async () => {
    const { api } = await createTenant();
    await save(api, 'anthropic', { apiKey: 'one' });
    const baseUrl = 'https://proxy.example/v1';
    expect((await save(api, 'anthropic', { apiKey: 'two', baseUrl })).body).toMatchObject({ baseUrl });
  });

  test.each<[string, string, object, string]>([
    ['without a key', 'openai', {}, '/apiKey'],
    ['with an empty key', 'openai', { apiKey: '' }, '/apiKey'],
    ['with a line break in it', 'openai', { apiKey: 'sk\r\nx: y' }, '/apiKey'],
    ['for an address that is none', 'openai', { apiKey: 'k', baseUrl: 'proxy' }, '/baseUrl'],
    ['for a file', 'openai', { apiKey: 'k', baseUrl: 'file:///etc/passwd' }, '/baseUrl'],
    [
      'for an address with a user',
      'openai',
      { apiKey: 'k', baseUrl: 'https://a:b@proxy.example/' },
      '/baseUrl',
    ],
    ['for no address at all', 'openai-compatible', { apiKey: 'k' }, '/baseUrl'],
    ['with an unknown field', 'openai', { apiKey: 'k', region: 'eu' }, '/region'],
  ])('%s is refused with its path', async (_what, provider, body, path) => {
    const { api } = await createTenant();
    expectInvalid(await save(api, provider, body), path);
  });

  test.each(['scripted', 'nobody', 'OpenAI'])('of %s is not found', async (provider) => {
    const { api } = await createTenant();
    expectProblem(await save(api, provider, { apiKey: 'k' }), 404, 'not_found');
  });

  test('needs the scope admin', async () => {
    const { api } = await createTenant();
    const created = await api.expect(
      201,
      api.post<{ apiKey: string }>('/v1/keys', { name: 'app', scopes: ['agents:write', 'tools:write'] }),
    );
    expectProblem(await save(api.withKey(created.apiKey), 'openai', { apiKey: 'k' }), 403, 'missing_scope');
  });
});

describe('an agent', () => {
  test('is refused while its provider has no key, and taken once it has one', async () => {
    const { api } = await createTenant();
    expectProblem(await api.post('/v1/agents', agentWith(OPENAI)), 422, 'provider_key_missing');
    await save(api, 'openai', { apiKey: 'k' });
    await api.expect(201, api.post('/v1/agents', agentWith(OPENAI)));
  });

  test('is not served by the key of another tenant', async () => {
    const one = await createTenant();
    const other = await createTenant();
    await save(one.api, 'openai', { apiKey: 'k' });
    expectProblem(await other.api.post('/v1/agents', agentWith(OPENAI)), 422, 'provider_key_missing');
  });

  test('that names a base URL gets the key for that origin alone', async () => {
    const { api } = await createTenant();
    await save(api, 'openai', { apiKey: 'k', baseUrl: 'https://proxy.example/v1' });
    const at = (baseUrl: string) => agentWith({ ...OPENAI, baseUrl });
    expectProblem(
      await api.post('/v1/agents', at('https://elsewhere.example/v1')),
      422,
      'provider_key_missing',
    );
    await api.expect(201, api.post('/v1/agents', at('https://proxy.example/v2')));
  });
});
