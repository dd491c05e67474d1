import { type Api, admin, createTenant } from '../support/client.js';
import { expectInvalid, expectProblem } from './problem.js';

const scripted = { provider: 'scripted', model: 'orders', maxOutputTokens: 500 };
const agent = { instructions: 'Help.', model: scripted, tools: [] };

async function registerTools(api: Api, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await api.expect(
      201,
      api.post('/v1/tools', {
        name,
        description: 'Gives back what it gets.',
        parameters: { type: 'object' },
        effect: 'read',
        executor: { type: 'builtin', handler: 'echo' },
      }),
    );
  }
}

describe('an agent', () => {
  test('is registered with every default filled in', async () => {
    const { api } = await createTenant();
    await registerTools(api, 'echo');
    const created = await api.expect(
      201,
      api.post('/v1/agents', { name: 'support', ...agent, tools: ['echo'] }),
    );
    expect(created).toEqual({
      id: expect.stringMatching(/^agt_[0-9a-z]{26}$/),
      name: 'support',
      version: 1,
      instructions: 'Help.',
      model: scripted,
      fallbacks: [],
      tools: ['echo'],
      toolChoice: 'auto',
      limits: {
        maxTurns: 20,
        maxToolCalls: 50,
        maxParallelToolCalls: 4,
        maxRepeats: 2,
        maxTokens: null,
        deadlineSeconds: 900,
        approvalTtlSeconds: 86_400,
        maxAgeSeconds: 2_592_000,
      },
      budget: null,
      policy: [],
      createdAt: expect.any(String),
      warnings: [],
    });
    expect((await api.get('/v1/agents/support')).body).toEqual(created);
  });

  test('keeps what it is given, and the digits of its rules', async () => {
    const { api } = await createTenant();
    await registerTools(api, 'echo');
    const rule =
      '{"tool":"ec*","when":[{"path":"/amount","op":"gt","value":100.10}],"action":"require_approval","approvals":2}';
    const body =
      `{"name":"support","instructions":"Help.","model":${JSON.stringify(scripted)},"tools":["echo"],` +
      `"toolChoice":{"tool":"echo"},"limits":{"maxTurns":3},"budget":{"perRunUsd":"0.50"},"policy":[${rule}]}`;
    const created = await api.send('POST', '/v1/agents', body);
    expect(created.status).toBe(201);
    expect(created.text).toContain('"value":100.10');
    expect(created.body).toMatchObject({
      toolChoice: { tool: 'echo' },
      limits: { maxTurns: 3, maxToolCalls: 50 },
      budget: { perRunUsd: '0.50' },
      policy: [{ tool: 'ec*', action: 'require_approval', approvals: 2 }],
    });
  });

  test('PUT makes the next immutable version, and the list of versions is newest first', async () => {
    const { api } = await createTenant();
    await api.expect(201, api.post('/v1/agents', { name: 'support', ...agent }));
    const second = { ...agent, instructions: 'Help better.' };
    expect(await api.expect(200, api.put('/v1/agents/support', second))).toMatchObject({ version: 2 });
    const versions = await api.all<{ version: number; instructions: string }>('/v1/agents/support/versions');
    expect(versions.map(({ version, instructions }) => [version, instructions])).toEqual([
      [2, 'Help better.'],
      [1, 'Help.'],
    ]);
    const pages = await api.get<{ data: { version: number }[]; nextCursor: string }>(
      '/v1/agents/support/versions?limit=1',
    );
    const rest = await api.get<{ data: { version: number }[] }>(
      `/v1/agents/support/versions?after=${pages.body.nextCursor}`,
    );
    expect([pages.body.data[0]?.version, rest.body.data[0]?.version]).toEqual([2, 1]);
    const listed = await api.all<{ name: string; version: number }>('/v1/agents');
    expect(listed.map(({ name, version }) => [name, version])).toEqual([['support', 2]]);
  });

  test('many at once make versions without gap or repeat', async () => {
    const { api } = await createTenant();
    await api.expect(201, api.post('/v1/agents', { name: 'support', ...agent }));
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        api.expect(200, api.put<{ version: number }>('/v1/agents/support', agent)),
      ),
    );
    expect(made.map(({ version }) => version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('from 20 tools on comes with a warning', async () => {
    const { api } = await createTenant();
    const names = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
    await registerTools(api, ...names);
    const few = await api.expect(
      201,
      api.post<{ warnings: string[] }>('/v1/agents', { name: 'few', ...agent, tools: names.slice(1) }),
    );
    expect(few.warnings).toEqual([]);
    const many = await api.expect(
      201,
      api.post<{ warnings: string[] }>('/v1/agents', { name: 'many', ...agent, tools: names }),
    );
    expect(many.warnings).toEqual([expect.stringContaining('20 tools')]);
  });

  test('whose name is taken is 409, and one that is unknown is 404', async () => {
    const { api } = await createTenant();
    await api.expect(201, api.post('/v1/agents', { name: 'support', ...agent }));
    expectProblem(await api.post('/v1/agents', { name: 'support', ...agent }), 409, 'already_exists');
    expectProblem(await api.get('/v1/agents/unknown'), 404, 'not_found');
    expectProblem(await api.get('/v1/agents/unknown/versions'), 404, 'not_found');
    expectProblem(await api.put('/v1/agents/unknown', agent), 404, 'not_found');
  });

  test.each<[object, ...string[]]>([
    [{ name: 'with space' }, '/name'],
    [{ instructions: '' }, '/instructions'],
    [{ tools: ['unknown'] }, '/tools/0'],
    [{ tools: ['echo', 'echo'] }, '/tools/1'],
    [{ toolChoice: 'required' }, '/toolChoice'],
    [{ tools: ['echo'], toolChoice: { tool: 'other' } }, '/toolChoice/tool'],
    [{ limits: { maxTurns: 201 } }, '/limits/maxTurns'],
    [{ limits: { maxTurns: 0 } }, '/limits/maxTurns'],
    [{ limits: { turns: 1 } }, '/limits/turns'],
    [{ budget: { perRunUsd: 1 } }, '/budget/perRunUsd'],
    [{ budget: { perRunUsd: '-1' } }, '/budget/perRunUsd'],
    [{ model: { ...scripted, provider: 'nobody' } }, '/model/provider'],
    [{ model: { ...scripted, api: 'chat' } }, '/model/api'],
    [{ fallbacks: [{ provider: 'openai', model: 'gpt-4o', api: 'messages' }] }, '/fallbacks/0/api'],
    [{ model: { ...scripted, temperature: 3 } }, '/model/temperature'],
    [{ policy: [{ tool: 'a b', action: 'deny' }] }, '/policy/0/tool'],
    [{ policy: [{ tool: '*', action: 'maybe' }] }, '/policy/0/action'],
    [
      { policy: [{ tool: '*', action: 'deny', when: [{ path: '/a', op: 'gt', value: 'much' }] }] },
      '/policy/0/when/0/value',
    ],
    [
      { policy: [{ tool: '*', action: 'deny', when: [{ path: '/a', op: 'in', value: 1 }] }] },
      '/policy/0/when/0/value',
    ],
    [
      { policy: [{ tool: '*', action: 'deny', when: [{ path: 'a', op: 'eq', value: 1 }] }] },
      '/policy/0/when/0/path',
    ],
  ])('%j is invalid', async (fields, ...paths) => {
    const { api } = await createTenant();
    await registerTools(api, 'echo');
    expectInvalid(await api.post('/v1/agents', { name: 'support', ...agent, ...fields }), ...paths);
  });

  test('whose model has no price is refused', async () => {
    const { api } = await createTenant();
    const model = {
      provider: 'openai-compatible',
      model: 'nobody-prices-this',
      baseUrl: 'https://models.example/v1',
      maxOutputTokens: 10,
    };
    const refused = await api.post('/v1/agents', { name: 'support', ...agent, model });
    expect(expectProblem(refused, 422, 'model_unpriced').errors?.[0]?.path).toBe('/model/model');
  });

  test('whose model has neither maxOutputTokens nor a known one is refused', async () => {
    const { api } = await createTenant();
    const price = { inputPerMTok: '1', outputPerMTok: '2' };
    await admin().expect(200, admin().put('/admin/v1/models/openai-compatible/of-unknown-length', price));
    const model = {
      provider: 'openai-compatible',
      model: 'of-unknown-length',
      baseUrl: 'https://models.example/v1',
    };
    expectProblem(
      await api.post('/v1/agents', { name: 'support', ...agent, model }),
      422,
      'max_output_tokens_required',
    );
  });

  test('whose provider has no key is refused until the tenant stores one', async () => {
    const { api } = await createTenant();
    const model = { provider: 'openai', api: 'chat', model: 'gpt-4o', maxOutputTokens: 10 };
    expectProblem(
      await api.post('/v1/agents', { name: 'support', ...agent, model }),
      422,
      'provider_key_missing',
    );
    const withFallback = { name: 'support', ...agent, fallbacks: [model] };
    expect(
      expectProblem(await api.post('/v1/agents', withFallback), 422, 'provider_key_missing').errors?.[0]
        ?.path,
    ).toBe('/fallbacks/0/provider');
    await api.expect(200, api.put('/v1/providers/openai', { apiKey: 'sk-test' }));
    await api.expect(201, api.post('/v1/agents', withFallback));
  });

  test('with a tool that a provider of its models cannot be told of is refused', async () => {
    const { api } = await createTenant();
    const parameters = { type: 'object', properties: { año: { type: 'integer' } } };
    const executor = { type: 'builtin', handler: 'echo' };
    const tool = { name: 'by_year', description: 'Finds by year.', parameters, effect: 'read', executor };
    await api.expect(201, api.post('/v1/tools', tool));
    await api.expect(200, api.put('/v1/providers/anthropic', { apiKey: 'key' }));
    const fallbacks = [{ provider: 'anthropic', model: 'claude-haiku-4-5' }];
    const asked = { name: 'support', ...agent, tools: ['by_year'] };
    const refused = await api.post('/v1/agents', { ...asked, fallbacks });
    expectInvalid(refused, '/tools/0');
    expect(refused.text).toContain('anthropic cannot be told of it: /properties/año');
    await api.expect(201, api.post('/v1/agents', asked));
  });

  test('of another tenant does not exist, and neither do its tools', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    await registerTools(one.api, 'echo');
    await one.api.expect(201, one.api.post('/v1/agents', { name: 'support', ...agent }));
    expectProblem(await other.api.get('/v1/agents/support'), 404, 'not_found');
    expectProblem(await other.api.get('/v1/agents/support/versions'), 404, 'not_found');
    expectProblem(await other.api.put('/v1/agents/support', agent), 404, 'not_found');
    expect(await other.api.all('/v1/agents')).toEqual([]);
    expectInvalid(
      await other.api.post('/v1/agents', { name: 'support', ...agent, tools: ['echo'] }),
      '/tools/0',
    );
  });
});
