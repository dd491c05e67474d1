import { admin, createTenant } from '../support/client.js';
import { meOf, signedInMember } from '../support/people.js';
import { expectProblem } from './problem.js';

describe('who is signed in', () => {
  test('of one tenant need not name it, of several must', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    const { member, api } = await signedInMember(one.api, 'viewer');
    expect(await meOf(api)).toEqual({
      actor: { type: 'member', id: member.id, name: member.name, email: member.email },
      operator: false,
      tenant: {
        id: one.tenant.id,
        slug: one.tenant.slug,
        name: one.tenant.name,
        role: 'viewer',
        scopes: ['runs:read', 'agents:read', 'approvals:read', 'metrics:read', 'audit:read'],
      },
      tenants: [{ id: one.tenant.id, slug: one.tenant.slug, name: one.tenant.name, role: 'viewer' }],
    });
    expect((await api.get('/v1/tools')).status).toBe(200);

    const again = await admin().expect(
      201,
      admin().post(`/admin/v1/tenants/${other.tenant.id}/members`, {
        email: member.email,
        name: 'An admin',
        role: 'admin',
      }),
    );
    expect(again).toMatchObject({ member: { id: member.id, role: 'admin' }, password: null });
    expectProblem(await api.get('/v1/tools'), 400, 'tenant_required');
    expect((await meOf(api)).tenant).toBeNull();
    expect((await meOf(api)).tenants.map(({ slug }) => slug).sort()).toEqual(
      [one.tenant.slug, other.tenant.slug].sort(),
    );
    for (const name of [other.tenant.id, other.tenant.slug]) {
      expect((await meOf(api.forTenant(name))).tenant).toMatchObject({ id: other.tenant.id, role: 'admin' });
      expect((await api.forTenant(name).get('/v1/members')).status).toBe(200);
    }
    expectProblem(await api.forTenant(one.tenant.slug).get('/v1/members'), 403, 'missing_scope');
  });

  test('does not see that other tenants exist', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    const { api } = await signedInMember(one.api, 'admin');
    for (const name of [other.tenant.id, other.tenant.slug, 'nonsense']) {
      expectProblem(await api.forTenant(name).get('/v1/tools'), 404, 'not_found');
      expectProblem(await api.forTenant(name).get('/v1/me'), 404, 'not_found');
    }
  });

  test('of no tenant may do nothing', async () => {
    const { api } = await createTenant();
    const person = await signedInMember(api, 'viewer');
    expect((await api.delete(`/v1/members/${person.member.id}`)).status).toBe(204);
    expect(await meOf(person.api)).toMatchObject({ tenant: null, tenants: [] });
    expectProblem(await person.api.get('/v1/tools'), 400, 'tenant_required');
  });

  test('of a suspended tenant is told so, and who they are', async () => {
    const { api, tenant } = await createTenant();
    const person = await signedInMember(api, 'viewer');
    await admin().expect(200, admin().patch(`/admin/v1/tenants/${tenant.id}`, { suspended: true }));
    expectProblem(await person.api.get('/v1/tools'), 403, 'tenant_suspended');
    expect((await person.api.get('/v1/me')).status).toBe(200);
  });

  test('may be a key, which says the same of itself', async () => {
    const { api, tenant } = await createTenant();
    expect(await meOf(api)).toMatchObject({
      actor: { type: 'key', id: expect.stringMatching(/^key_/), name: 'First key', email: null },
      operator: false,
      tenant: { id: tenant.id, slug: tenant.slug, role: null, scopes: expect.arrayContaining(['admin']) },
      tenants: [{ id: tenant.id, role: null }],
    });
    expect((await api.forTenant(tenant.slug).get('/v1/tools')).status).toBe(200);
    expectProblem(await api.forTenant('another').get('/v1/tools'), 404, 'not_found');
    expectProblem(await admin().get('/v1/me'), 401, 'unauthorized');
  });
});
