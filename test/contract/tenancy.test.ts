import { randomBytes } from 'node:crypto';
import { admin, createTenant } from '../support/client.js';
import { expectInvalid, expectProblem } from './problem.js';

interface TenantView {
  readonly id: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly suspended: boolean;
}

const slug = (): string => `t-${randomBytes(6).toString('hex')}`;

describe('the operator\u2019s tenants', () => {
  test('are made with what is given and the defaults, and a key that has every scope', async () => {
    const name = slug();
    const created = await admin().expect(
      201,
      admin().post<{ tenant: TenantView; apiKey: string }>('/admin/v1/tenants', {
        slug: name,
        name: 'A tenant',
        weight: 3,
        monthlyBudgetUsd: '12.5',
      }),
    );
    expect(created.tenant).toEqual({
      id: expect.stringMatching(/^ten_[0-9a-z]{26}$/),
      slug: name,
      name: 'A tenant',
      weight: 3,
      maxConcurrentRuns: expect.any(Number),
      requestsPerSecond: 100,
      monthlyBudgetUsd: '12.500000',
      useDeploymentKeys: false,
      suspended: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const { api } = await createTenant();
    const [first] = await api.all<{ scopes: string[] }>('/v1/keys');
    expect(first?.scopes).toHaveLength(11);
  });

  test('a taken slug is 409', async () => {
    const body = { slug: slug(), name: 'x' };
    await admin().expect(201, admin().post('/admin/v1/tenants', body));
    expectProblem(await admin().post('/admin/v1/tenants', body), 409, 'already_exists');
  });

  test.each([
    [{ slug: 'Not A Slug' }, '/slug'],
    [{ name: '' }, '/name'],
    [{ weight: 0 }, '/weight'],
    [{ requestsPerSecond: 1.5 }, '/requestsPerSecond'],
    [{ monthlyBudgetUsd: 12 }, '/monthlyBudgetUsd'],
    [{ monthlyBudgetUsd: '1e3' }, '/monthlyBudgetUsd'],
    [{ owner: 'me' }, '/owner'],
  ])('%j is invalid', async (fields, path) => {
    expectInvalid(await admin().post('/admin/v1/tenants', { slug: slug(), name: 'x', ...fields }), path);
  });

  test('are listed newest first, and found by id', async () => {
    const first = await createTenant();
    const second = await createTenant();
    const listed = await admin().all<TenantView>('/admin/v1/tenants');
    const ids = listed.map(({ id }) => id);
    expect(ids.indexOf(second.tenant.id)).toBeLessThan(ids.indexOf(first.tenant.id));
    const found = await admin().expect(200, admin().get<TenantView>(`/admin/v1/tenants/${first.tenant.id}`));
    expect(found.slug).toBe(first.tenant.slug);
    expectProblem(await admin().get('/admin/v1/tenants/ten_00000000000000000000000000'), 404, 'not_found');
    expectProblem(await admin().get('/admin/v1/tenants/nonsense'), 404, 'not_found');
  });

  test('a change touches what it names and nothing else', async () => {
    const { tenant } = await createTenant({ weight: 2 });
    const path = `/admin/v1/tenants/${tenant.id}`;
    const before = await admin().expect(200, admin().get<object>(path));
    const after = await admin().expect(
      200,
      admin().patch<object>(path, { maxConcurrentRuns: 7, monthlyBudgetUsd: '3' }),
    );
    expect(after).toEqual({ ...before, maxConcurrentRuns: 7, monthlyBudgetUsd: '3.000000' });
    const without = await admin().expect(200, admin().patch<object>(path, { monthlyBudgetUsd: null }));
    expect(without).toEqual({ ...before, maxConcurrentRuns: 7, monthlyBudgetUsd: null });
    expectInvalid(await admin().patch(path, { slug: 'other' }), '/slug');
    expectProblem(
      await admin().patch('/admin/v1/tenants/ten_00000000000000000000000000', {}),
      404,
      'not_found',
    );
  });

  test('a suspended tenant is 403 at once, and itself again when it is taken up', async () => {
    const { api, tenant } = await createTenant();
    expect((await api.get('/v1/tools')).status).toBe(200);
    await admin().expect(200, admin().patch(`/admin/v1/tenants/${tenant.id}`, { suspended: true }));
    expectProblem(await api.get('/v1/tools'), 403, 'tenant_suspended');
    await admin().expect(200, admin().patch(`/admin/v1/tenants/${tenant.id}`, { suspended: false }));
    expect((await api.get('/v1/tools')).status).toBe(200);
  });
});
