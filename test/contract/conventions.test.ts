import { request } from 'node:http';
import { Api, admin, createTenant } from '../support/client.js';
import { sharedStack } from '../support/stack.js';
import { expectInvalid, expectProblem } from './problem.js';

const anonymous = (): Api => new Api(sharedStack().apiUrl, null);

const echo = {
  description: 'Gives back what it gets.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  effect: 'read',
  executor: { type: 'builtin', handler: 'echo' },
};

describe('authentication', () => {
  test('a missing, malformed or unknown key is 401', async () => {
    const { api } = await createTenant();
    const replies = await Promise.all([
      anonymous().get('/v1/tools'),
      anonymous().get('/v1/tools', { authorization: 'Basic eDp5' }),
      anonymous().get('/v1/tools', { authorization: 'Bearer ' }),
      api.withKey(`${api.key}x`).get('/v1/tools'),
      api.get('/admin/v1/tenants'),
      admin().get('/v1/tools'),
    ]);
    for (const reply of replies) {
      expectProblem(reply, 401, 'unauthorized');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('no answer is for a cache, for anybody else, or of another type than it says', async () => {
    const { api } = await createTenant();
    const replies = await Promise.all([
      api.get('/v1/tools'),
      api.get('/v1/no-such-path'),
      anonymous().get('/v1/tools'),
      api.send('POST', '/v1/tools', '{'),
      anonymous().get('/api/auth/get-session'),
    ]);
    for (const { headers } of replies) {
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      for (const name of ['Authorization', 'Cookie', 'X-Tenant']) expect(headers.get('vary')).toContain(name);
    }
  });

  test('a key that lacks the scope of a route is 403, and the scope is named', async () => {
    const { api } = await createTenant();
    const { apiKey } = await api.expect(
      201,
      api.post<{ apiKey: string }>('/v1/keys', { name: 'reader', scopes: ['runs:read'] }),
    );
    const reader = api.withKey(apiKey);
    const refusals = await Promise.all([
      reader.get('/v1/tools'),
      reader.post('/v1/tools', { name: 'echo', ...echo }),
      reader.post('/v1/agents', {}),
      reader.put('/v1/policy', { rules: [] }),
      reader.put('/v1/budgets/tenant/day', { limitUsd: '1' }),
      reader.get('/v1/keys'),
    ]);
    const scopes = ['agents:read', 'tools:write', 'agents:write', 'admin', 'budgets:write', 'admin'];
    for (const [index, reply] of refusals.entries()) {
      expect(expectProblem(reply, 403, 'missing_scope').detail).toContain(scopes[index]);
    }
  });

  test('X-Tenant with another tenant than the key\u2019s is 404', async () => {
    const { api, tenant } = await createTenant();
    const other = await createTenant();
    expect((await api.get('/v1/tools', { 'x-tenant': tenant.id })).status).toBe(200);
    expectProblem(await api.get('/v1/tools', { 'x-tenant': other.tenant.id }), 404, 'not_found');
  });
});

describe('routes', () => {
  test('an unknown path is 404, a method that a path does not take is 405 with Allow', async () => {
    const { api } = await createTenant();
    expectProblem(await api.get('/v1/nothing'), 404, 'not_found');
    expectProblem(await api.get('/v1/tools/%E0%A4%A'), 404, 'not_found');
    const reply = await api.delete('/v1/tools');
    expectProblem(reply, 405, 'method_not_allowed');
    expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
  });

  test('no answer says what the server is made of', async () => {
    const reply = await anonymous().get('/healthz');
    expect(reply.headers.get('x-powered-by')).toBeNull();
    expect(reply.body).toEqual({ status: 'ok' });
  });

  test('/readyz says what is reachable', async () => {
    expect((await anonymous().get('/readyz')).body).toMatchObject({
      status: 'ready',
      checks: { database: 'ok' },
    });
  });

  test('/openapi.json describes every route that the docs list', async () => {
    const document = (
      await anonymous().get<{ openapi: string; paths: Record<string, object> }>('/openapi.json')
    ).body;
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/tools/{name}',
        '/v1/agents',
        '/v1/keys/{id}/rotate',
        '/admin/v1/tenants/{id}',
      ]),
    );
    const page = await anonymous().get('/docs');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    for (const path of Object.keys(document.paths)) expect(page.text).toContain(path);
  });
});

describe('bodies', () => {
  test('malformed JSON is 400', async () => {
    const { api } = await createTenant();
    for (const body of ['', '{', '{"name":}', 'nonsense']) {
      expectProblem(await api.send('POST', '/v1/tools', body), 400, 'malformed_json');
    }
  });

  test('unknown fields are 422, each with its path', async () => {
    const { api } = await createTenant();
    const body = { name: 'echo', ...echo, executor: { ...echo.executor, more: 1 }, colour: 'red', size: 2 };
    expectInvalid(await api.post('/v1/tools', body), '/executor/more', '/colour', '/size');
  });

  test('NUL, lone surrogates and members that occur twice are 422 with the path', async () => {
    const { api } = await createTenant();
    expectInvalid(await api.send('POST', '/v1/tools', '{"description":"a\\u0000"}'), '/description');
    expectInvalid(await api.send('POST', '/v1/tools', '{"intent":["\\ud800"]}'), '/intent/0');
    expectInvalid(await api.send('POST', '/v1/tools', '{"name":"a","name":"b"}'), '/name');
  });

  test('over 1 MiB is 413, and the connection is not left hanging', async () => {
    const { api } = await createTenant();
    const reply = await api.post('/v1/tools', { name: 'x'.repeat(1024 * 1024) });
    expectProblem(reply, 413, 'body_too_large');
  });

  test('compressed is 415', async () => {
    const { api } = await createTenant();
    const reply = await api.send('POST', '/v1/tools', '{}', { 'content-encoding': 'gzip' });
    expectProblem(reply, 415, 'unsupported_media_type');
  });

  test('one that ends early is no request at all', async () => {
    const { api } = await createTenant();
    const url = new URL(`${api.baseUrl}/v1/tools`);
    const sent = request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-length': 100 },
    });
    sent.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      sent.write('{"name":', () => resolve());
    });
    sent.destroy();
    expect((await api.get('/v1/tools')).status).toBe(200);
  });
});

describe('lists', () => {
  test('go page by page, newest first, and stay put while rows arrive', async () => {
    const { api } = await createTenant();
    for (const name of ['a', 'b', 'c']) await api.expect(201, api.post('/v1/tools', { name, ...echo }));
    const names = async (query: string) => {
      const page = await api.expect(
        200,
        api.get<{ data: { name: string }[]; nextCursor: string | null }>(`/v1/tools${query}`),
      );
      return { names: page.data.map(({ name }) => name), next: page.nextCursor };
    };
    const first = await names('?limit=2');
    expect(first.names).toEqual(['c', 'b']);
    await api.expect(201, api.post('/v1/tools', { name: 'd', ...echo }));
    expect(await names(`?limit=2&after=${first.next}`)).toEqual({ names: ['a'], next: null });
    expect((await names('')).names).toEqual(['d', 'c', 'b', 'a']);
  });

  test('refuse a limit out of range, a cursor that is none, and parameters that they do not know', async () => {
    const { api } = await createTenant();
    expectInvalid(await api.get('/v1/tools?limit=0'), 'limit');
    expectInvalid(await api.get('/v1/tools?limit=101'), 'limit');
    expectInvalid(await api.get('/v1/tools?after=nonsense'), 'after');
    expectInvalid(await api.get('/v1/tools?colour=red'), 'colour');
  });

  test('take no cursor of another tenant', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    for (const name of ['a', 'b']) await one.api.expect(201, one.api.post('/v1/tools', { name, ...echo }));
    const { body } = await one.api.get<{ nextCursor: string }>('/v1/tools?limit=1');
    expectInvalid(await other.api.get(`/v1/tools?after=${body.nextCursor}`), 'after');
  });

  test('take no cursor that somebody made up for their own tenant', async () => {
    const { api, tenant } = await createTenant({ requestsPerSecond: 10_000 });
    const definition = { instructions: 'Go.', model: { provider: 'scripted', model: 'm' }, tools: [] };
    await api.expect(201, api.post('/v1/agents', { name: 'a', ...definition }));
    const run = await api.expect(202, api.post<{ id: string }>('/v1/runs', { agent: 'a', input: 'x' }));
    const cursor = (owner: string, place: string) => Buffer.from(`${owner} ${place}`).toString('base64url');
    const id = '0'.repeat(26);
    const places = ['\u0000', '', 'x', 'Infinity', '99999999999999999999', '0000-01-01T00:00:00Z usr_1'];
    const far = `999999999999999:mdl_${id}`;
    const own = ['agents', 'agents/a/versions', 'tools', 'keys', 'members', 'runs', 'approvals', 'outcomes'];
    const ofRun = ['messages', 'tool-calls', 'model-calls'].map((list) => `runs/${run.id}/${list}`);
    for (const place of [...places, far]) {
      for (const list of [...own, ...ofRun]) {
        expectInvalid(await api.get(`/v1/${list}?after=${cursor(tenant.id, place)}`), 'after');
      }
      for (const list of ['tenants', 'operators']) {
        expectInvalid(await admin().get(`/admin/v1/${list}?after=${cursor('operator', place)}`), 'after');
      }
    }
  });
});

describe('moments', () => {
  test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])(
    'that cannot be written in UTC are refused wherever they are taken: %s',
    async (moment) => {
      const { api } = await createTenant();
      const query = encodeURIComponent(moment);
      for (const name of ['from', 'to']) {
        expectInvalid(await api.get(`/v1/runs?${name}=${query}`), name);
        const times = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', [name]: moment };
        const simulated = await api.post('/v1/policy/simulate', { rules: [], ...times });
        const { errors } = expectProblem(simulated, 422, 'invalid_content');
        expect(errors?.map(({ path }) => path)).toContain(`/${name}`);
      }
      const key = { name: 'a key', scopes: ['runs:read'], expiresAt: moment };
      expectInvalid(await api.post('/v1/keys', key), '/expiresAt');
      const price = { inputPerMTok: '1', outputPerMTok: '1', validFrom: moment };
      expectInvalid(await admin().put('/admin/v1/models/openai-compatible/moments', price), '/validFrom');
    },
  );
});

describe('rate limits', () => {
  test('beyond the operator\u2019s rate: 429 with Retry-After', async () => {
    const { api } = await createTenant({ requestsPerSecond: 2 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => api.get('/v1/tools')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expectProblem(reply, 429, 'rate_limited');
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });
});
