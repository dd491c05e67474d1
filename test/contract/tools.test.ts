import { createTenant } from '../support/client.js';
import { expectInvalid, expectProblem } from './problem.js';

interface ToolView {
  readonly version: number;
  readonly signingSecret?: string;
}

const refund = {
  description: 'Refunds an order.',
  parameters: {
    type: 'object',
    properties: { orderId: { type: 'integer' }, amount: { type: 'string' } },
    required: ['orderId'],
    additionalProperties: false,
  },
  effect: 'once',
  executor: { type: 'http', url: 'https://shop.example/refund', headers: { authorization: 'Bearer sesame' } },
};
const echo = { ...refund, effect: 'read', executor: { type: 'builtin', handler: 'echo' } };

describe('a tool', () => {
  test('is registered with every default filled in, and its signing secret is told once', async () => {
    const { api } = await createTenant();
    const created = await api.expect(201, api.post<object>('/v1/tools', { name: 'refund', ...refund }));
    const expected = {
      id: expect.stringMatching(/^tol_[0-9a-z]{26}$/),
      name: 'refund',
      version: 1,
      description: refund.description,
      parameters: refund.parameters,
      effect: 'once',
      executor: { type: 'http', url: 'https://shop.example/refund', hasHeaders: true },
      intent: null,
      intentScope: 'operation',
      inject: {},
      constrain: {},
      editable: null,
      fresh: false,
      timeoutMs: 10_000,
      retries: 0,
      resultMaxBytes: 16_384,
      check: null,
      money: null,
      reconcile: null,
      onUnknown: 'ask',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(created).toEqual({ ...expected, signingSecret: expect.stringMatching(/^whsec_/) });
    const found = await api.get('/v1/tools/refund');
    expect(found.body).toEqual(expected);
    expect(found.text).not.toContain('sesame');
  });

  test('where intent is given the scope of the intent is the subject', async () => {
    const { api } = await createTenant();
    const tool = { name: 'refund', ...refund, intent: ['/orderId'] };
    expect(await api.expect(201, api.post('/v1/tools', tool))).toMatchObject({ intentScope: 'subject' });
  });

  test('keeps every digit of its schema', async () => {
    const { api } = await createTenant();
    const parameters =
      '{"type":"object","properties":{"n":{"type":"number","maximum":9007199254740993,"multipleOf":0.10}}}';
    const body = `{"name":"exact","description":"x","effect":"read","executor":${JSON.stringify(echo.executor)},"parameters":${parameters}}`;
    await api.expect(201, api.send('POST', '/v1/tools', body));
    expect((await api.get('/v1/tools/exact')).text).toContain(parameters);
  });

  test('whose name is taken is 409', async () => {
    const { api } = await createTenant();
    await api.expect(201, api.post('/v1/tools', { name: 'echo', ...echo }));
    expectProblem(await api.post('/v1/tools', { name: 'echo', ...echo }), 409, 'already_exists');
  });

  test('PUT makes the next version, without telling the secret', async () => {
    const { api } = await createTenant();
    await api.expect(201, api.post('/v1/tools', { name: 'echo', ...echo }));
    const replaced = await api.expect(
      200,
      api.put<ToolView>('/v1/tools/echo', { ...echo, description: 'Says it again.' }),
    );
    expect(replaced).toMatchObject({ name: 'echo', version: 2, description: 'Says it again.' });
    expect(replaced.signingSecret).toBeUndefined();
    expectProblem(await api.put('/v1/tools/unknown', echo), 404, 'not_found');
    expectInvalid(await api.put('/v1/tools/echo', { name: 'other', ...echo }), '/name');
  });

  test('is shown as it was at each of its versions, after its end as well', async () => {
    const { api } = await createTenant();
    const first = await api.expect(201, api.post<ToolView>('/v1/tools', { name: 'echo', ...echo }));
    await api.expect(200, api.put('/v1/tools/echo', { ...echo, description: 'Says it again.' }));
    await api.delete('/v1/tools/echo');
    const version = (number: number | string) => api.get<ToolView>(`/v1/tools/echo/versions/${number}`);
    const { signingSecret: _, ...shown } = first;
    expect((await version(1)).body).toEqual({ ...shown, updatedAt: expect.any(String) });
    expect((await version(2)).body).toMatchObject({ version: 2, description: 'Says it again.' });
    for (const unknown of [0, 3, '01', 'x', '9999999999']) {
      expectProblem(await version(unknown), 404, 'not_found');
    }
    const stranger = await createTenant();
    expectProblem(await stranger.api.get('/v1/tools/echo/versions/1'), 404, 'not_found');
  });

  test('is gone after DELETE, and its name comes back with a higher version and another secret', async () => {
    const { api } = await createTenant();
    const first = await api.expect(201, api.post<ToolView>('/v1/tools', { name: 'echo', ...echo }));
    expect((await api.delete('/v1/tools/echo')).status).toBe(204);
    expectProblem(await api.get('/v1/tools/echo'), 404, 'not_found');
    expectProblem(await api.put('/v1/tools/echo', echo), 404, 'not_found');
    expectProblem(await api.delete('/v1/tools/echo'), 404, 'not_found');
    expect(await api.all('/v1/tools')).toEqual([]);
    const second = await api.expect(201, api.post<ToolView>('/v1/tools', { name: 'echo', ...echo }));
    expect(second.version).toBe(2);
    expect(second.signingSecret).not.toBe(first.signingSecret);
  });

  test('a new signing secret is told once', async () => {
    const { api } = await createTenant();
    const first = await api.expect(201, api.post<ToolView>('/v1/tools', { name: 'echo', ...echo }));
    const rotated = await api.expect(200, api.post<ToolView>('/v1/tools/echo/rotate-secret', {}));
    expect(rotated).toEqual({ signingSecret: expect.stringMatching(/^whsec_/) });
    expect(rotated.signingSecret).not.toBe(first.signingSecret);
    expectProblem(await api.post('/v1/tools/unknown/rotate-secret', {}), 404, 'not_found');
  });

  test.each(['mcp', 'client'])(
    'with the executor %s is refused by a deployment that has none',
    async (type) => {
      const { api } = await createTenant();
      const executor = type === 'mcp' ? { type, server: 'calendar', tool: 'create' } : { type };
      expectProblem(
        await api.post('/v1/tools', { name: 'x', ...echo, executor }),
        422,
        'executor_unavailable',
      );
    },
  );

  test.each<[object, ...string[]]>([
    [{ name: 'with space' }, '/name'],
    [{ name: 'x'.repeat(65) }, '/name'],
    [{ description: '' }, '/description'],
    [{ effect: 'twice' }, '/effect'],
    [{ executor: { type: 'http', url: 'ftp://shop.example' } }, '/executor/url'],
    [{ executor: { type: 'http', url: 'https://me:secret@shop.example' } }, '/executor/url'],
    [
      { executor: { type: 'http', url: 'https://shop.example', headers: { 'content-type': 'x' } } },
      '/executor/headers/content-type',
    ],
    [{ executor: { type: 'builtin', handler: 'unheard-of' } }, '/executor/handler'],
    [{ parameters: [] }, '/parameters'],
    [{ intent: ['orderId'] }, '/intent/0'],
    [{ intent: ['/order'] }, '/intent/0'],
    [{ intent: [] }, '/intent'],
    [{ money: { path: '/price', currency: 'USD' } }, '/money/path'],
    [{ money: { path: '/amount', currency: 'dollars' } }, '/money/currency'],
    [{ editable: ['/none'] }, '/editable/0'],
    [{ constrain: { none: '/id' } }, '/constrain/none'],
    [{ inject: { orderId: 'id' } }, '/inject/orderId'],
    [{ retries: 1 }, '/retries'],
    [{ timeoutMs: 0 }, '/timeoutMs'],
    [{ resultMaxBytes: 1 }, '/resultMaxBytes'],
    [{ onUnknown: 'guess' }, '/onUnknown'],
    [{ check: { url: 'nowhere' } }, '/check/url'],
  ])('%j is invalid', async (fields, ...paths) => {
    const { api } = await createTenant();
    expectInvalid(await api.post('/v1/tools', { name: 'refund', ...refund, ...fields }), ...paths);
  });

  test.each<[string, object]>([
    ['is not one of an object', { type: 'string' }],
    ['is over 64 KiB', { type: 'object', description: 'x'.repeat(65 * 1024) }],
    ['has more than 32 levels', deepSchema(33)],
    ['refers to elsewhere', { type: 'object', properties: { a: { $ref: 'https://elsewhere.example/s' } } }],
    ['is no schema', { type: 'object', properties: { a: { type: 'colour' } } }],
    [
      'has a pattern that takes more than linear time',
      { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+\\1' } } },
    ],
  ])('whose schema %s is refused', async (_fault, parameters) => {
    const { api } = await createTenant();
    const { errors } = expectProblem(
      await api.post('/v1/tools', { name: 'x', ...echo, parameters }),
      422,
      'invalid_content',
    );
    expect(errors?.[0]?.path).toMatch(/^\/parameters/);
  });

  test('of another tenant does not exist', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    await one.api.expect(201, one.api.post('/v1/tools', { name: 'echo', ...echo }));
    expectProblem(await other.api.get('/v1/tools/echo'), 404, 'not_found');
    expectProblem(await other.api.put('/v1/tools/echo', echo), 404, 'not_found');
    expectProblem(await other.api.delete('/v1/tools/echo'), 404, 'not_found');
    expectProblem(await other.api.post('/v1/tools/echo/rotate-secret', {}), 404, 'not_found');
    expect(await other.api.all('/v1/tools')).toEqual([]);
    await other.api.expect(201, other.api.post('/v1/tools', { name: 'echo', ...echo }));
  });
});

function deepSchema(levels: number): object {
  let schema: object = { type: 'string' };
  for (let level = 1; level < levels; level += 2) schema = { type: 'object', properties: { a: schema } };
  return schema;
}
