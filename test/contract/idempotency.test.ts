import { admin, createTenant } from '../support/client.js';
import { sharedStack } from '../support/stack.js';
import { expectInvalid, expectProblem } from './problem.js';

const echo = {
  description: 'Gives back what it gets.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  effect: 'read',
  executor: { type: 'builtin', handler: 'echo' },
};

describe('Idempotency-Key', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key });

  test('the same key and body give the first answer again, without its secret', async () => {
    const { api } = await createTenant();
    const first = await api.post<{ id: string; signingSecret: string }>(
      '/v1/tools',
      { name: 'echo', ...echo },
      withKey('k1'),
    );
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(first.body.signingSecret).toMatch(/^whsec_/);
    const again = await api.post('/v1/tools', { ...echo, name: 'echo' }, withKey('k1'));
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual({ ...first.body, signingSecret: null });
  });

  test('another body is 422, and another tenant or route has keys of its own', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    await one.api.expect(201, one.api.post('/v1/tools', { name: 'echo', ...echo }, withKey('k1')));
    const reused = await one.api.post('/v1/tools', { name: 'other', ...echo }, withKey('k1'));
    expectProblem(reused, 422, 'idempotency_key_reused');
    await other.api.expect(201, other.api.post('/v1/tools', { name: 'other', ...echo }, withKey('k1')));
    await one.api.expect(201, one.api.post('/v1/keys', { name: 'k', scopes: ['runs:read'] }, withKey('k1')));
  });

  test('a refused create records nothing', async () => {
    const { api } = await createTenant();
    expectInvalid(
      await api.post('/v1/tools', { name: 'echo', ...echo, effect: 'never' }, withKey('k1')),
      '/effect',
    );
    await api.expect(201, api.post('/v1/tools', { name: 'echo', ...echo }, withKey('k1')));
  });

  test('of many at once one creates, the others get its answer or are told that it is under way', async () => {
    const { api } = await createTenant();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        api.post<{ id: string }>('/v1/keys', { name: 'k', scopes: ['runs:read'] }, withKey('k1')),
      ),
    );
    const created = replies.filter(({ status }) => status === 201);
    for (const reply of replies) {
      if (reply.status !== 201) expectProblem(reply, 409, 'idempotency_in_progress');
    }
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
    expect(created.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await api.all('/v1/keys')).toHaveLength(2);
  });

  test('takes 1 to 255 visible characters', async () => {
    const { api } = await createTenant();
    for (const key of ['with space', 'x'.repeat(256), '']) {
      expectInvalid(await api.post('/v1/tools', { name: 'echo', ...echo }, withKey(key)), 'Idempotency-Key');
    }
    await api.expect(201, api.post('/v1/tools', { name: 'echo', ...echo }, withKey('x'.repeat(255))));
  });

  test('is free again where its process died, after a minute, and in any case after 24 hours', async () => {
    const { api, tenant } = await createTenant();
    const { database } = sharedStack();
    const keys = () => api.all('/v1/keys');
    const create = (name: string) => api.post('/v1/keys', { name, scopes: ['runs:read'] }, withKey('k1'));
    const age = (state: string, interval: string) =>
      database.query(
        `UPDATE idempotency_requests SET state = $2, created_at = now() - $3::interval WHERE tenant_id = $1`,
        [tenant.id, state, interval],
      );
    await api.expect(201, create('first'));
    await age('in_progress', '50 seconds');
    expectProblem(await create('first'), 409, 'idempotency_in_progress');
    await age('in_progress', '70 seconds');
    await api.expect(201, create('first'));
    await age('done', '23 hours');
    expect((await create('first')).headers.get('idempotency-replayed')).toBe('true');
    await age('done', '25 hours');
    await api.expect(201, create('second'));
    expect(await keys()).toHaveLength(4);
  });

  test('a run that was created just before its process died is found, not started twice', async () => {
    const { api, tenant } = await createTenant();
    const agent = {
      name: 'a',
      instructions: 'Help.',
      model: { provider: 'scripted', model: 'orders' },
      tools: [],
    };
    await api.expect(201, api.post('/v1/agents', agent));
    const start = () => api.post<{ id: string }>('/v1/runs', { agent: 'a', input: 'Hello.' }, withKey('k1'));
    const first = await api.expect(202, start());
    await sharedStack().database.query(
      `UPDATE idempotency_requests SET state = 'in_progress', status = NULL, response = $2,
         created_at = now() - interval '2 minutes' WHERE tenant_id = $1 AND route = 'POST /v1/runs'`,
      [tenant.id, first.id.slice('run_'.length)],
    );
    expect((await api.expect(202, start())).id).toBe(first.id);
    expect((await start()).headers.get('idempotency-replayed')).toBe('true');
    expect(await api.all('/v1/runs')).toHaveLength(1);
  });

  test('works for the operator as well', async () => {
    const body = { slug: `once-${Date.now().toString(36)}`, name: 'Once' };
    const first = await admin().post<{ tenant: { id: string } }>(
      '/admin/v1/tenants',
      body,
      withKey(body.slug),
    );
    const again = await admin().post<{ tenant: { id: string } }>(
      '/admin/v1/tenants',
      body,
      withKey(body.slug),
    );
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual({ ...first.body, apiKey: null });
  });
});
