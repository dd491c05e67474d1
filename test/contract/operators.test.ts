import { admin, createTenant } from '../support/client.js';
import { meOf, newEmail, signedInMember } from '../support/people.js';
import { expectProblem } from './problem.js';

describe('operators of the platform', () => {
  test('are made by the operator\u2019s key, use /admin/v1 when signed in, and see into no tenant', async () => {
    const { api, tenant } = await createTenant();
    const email = newEmail();
    const made = await admin().expect(
      201,
      admin().post<{ operator: { id: string }; password: string }>('/admin/v1/operators', {
        email,
        name: 'An operator',
      }),
    );
    expect(made.operator).toMatchObject({ id: expect.stringMatching(/^usr_/), email, name: 'An operator' });
    const person = await api.signIn(email, made.password);
    expect(await meOf(person)).toMatchObject({ operator: true, tenant: null, tenants: [] });
    expect((await person.get(`/admin/v1/tenants/${tenant.id}`)).status).toBe(200);
    const other = { origin: 'https://evil.test' };
    const path = `/admin/v1/tenants/${tenant.id}`;
    expectProblem(await person.patch(path, { weight: 2 }, other), 403, 'cross_origin');
    expect((await person.patch(path, { weight: 2 })).status).toBe(200);
    expectProblem(await person.get('/v1/tools'), 400, 'tenant_required');
    expectProblem(await person.forTenant(tenant.id).get('/v1/tools'), 404, 'not_found');

    const listed = await admin().all<{ id: string }>('/admin/v1/operators');
    expect(listed.map(({ id }) => id)).toContain(made.operator.id);
    const again = await admin().post('/admin/v1/operators', { email, name: 'x' });
    expectProblem(again, 409, 'already_exists');
    expect((await admin().delete(`/admin/v1/operators/${made.operator.id}`)).status).toBe(204);
    expectProblem(await person.get('/admin/v1/tenants'), 403, 'missing_scope');
    expectProblem(await admin().delete(`/admin/v1/operators/${made.operator.id}`), 404, 'not_found');
  });

  test('have an account that nobody else made', async () => {
    const { api } = await createTenant();
    const { member } = await signedInMember(api, 'viewer');
    const taken = await admin().post('/admin/v1/operators', { email: member.email, name: 'x' });
    expectProblem(taken, 409, 'already_exists');
    const nowhere = '/admin/v1/tenants/ten_00000000000000000000000000/members';
    const body = { email: newEmail(), name: 'x', role: 'viewer' };
    expectProblem(await admin().post(nowhere, body), 404, 'not_found');
  });

  test('are not the members of a tenant, whatever their role there', async () => {
    const { api } = await createTenant();
    for (const role of ['operator', 'admin'] as const) {
      const person = await signedInMember(api, role);
      expectProblem(await person.api.get('/admin/v1/tenants'), 403, 'missing_scope');
    }
    expectProblem(await api.withoutKey().get('/admin/v1/tenants'), 401, 'unauthorized');
    expectProblem(await api.get('/admin/v1/tenants'), 401, 'unauthorized');
  });
});
