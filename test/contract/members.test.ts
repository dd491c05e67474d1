import { admin, createTenant, type TestTenant } from '../support/client.js';
import { addMember, type MemberView, newEmail, signedInMember } from '../support/people.js';
import { expectInvalid, expectProblem } from './problem.js';

const NOBODY = 'usr_00000000000000000000000000';

describe('members', () => {
  let world: TestTenant;
  beforeEach(async () => {
    world = await createTenant();
  });

  test('the first key makes the first admin, with a password that is told once', async () => {
    const email = newEmail();
    const { member, password } = await addMember(world.api, 'admin', email.toUpperCase());
    expect(member).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      email,
      name: 'A admin',
      role: 'admin',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(password?.length).toBeGreaterThanOrEqual(20);
    const admins = await world.api.signIn(email, password ?? '');
    expect(await admins.all('/v1/members')).toEqual([member]);
    expect((await admins.get('/v1/members')).text).not.toContain(password);
  });

  test('a repeat of a create tells no password again', async () => {
    const body = { email: newEmail(), name: 'x', role: 'viewer' };
    const headers = { 'idempotency-key': 'once' };
    const first = await world.api.post<{ password: string }>('/v1/members', body, headers);
    const again = await world.api.post<{ password: null }>('/v1/members', body, headers);
    expect(first.body.password).toEqual(expect.any(String));
    expect([again.status, again.body]).toEqual([201, { ...first.body, password: null }]);
  });

  test('nobody is a member twice', async () => {
    const { member } = await addMember(world.api, 'viewer');
    const body = { email: member.email, name: 'x', role: 'admin' };
    expectProblem(await world.api.post('/v1/members', body), 409, 'already_exists');
    expect(await world.api.all('/v1/members')).toEqual([member]);
  });

  test('of many who add one person at once, one does, and the password holds', async () => {
    const body = { email: newEmail(), name: 'x', role: 'viewer' };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => world.api.post<{ password: string }>('/v1/members', body)),
    );
    const [made, ...more] = replies.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(4);
    await world.api.signIn(body.email, made?.body.password ?? '');
  });

  test('a person of two tenants has one account, and the name that each gives', async () => {
    const other = await createTenant();
    const { member, password } = await addMember(world.api, 'viewer');
    const body = { email: member.email, name: 'Somebody else', role: 'admin' };
    // Whoever made the account may know its password: only the operator can say that it is the right person's.
    expectProblem(await other.api.post('/v1/members', body), 409, 'already_exists');
    const path = `/admin/v1/tenants/${other.tenant.id}/members`;
    const second = await admin().expect(
      201,
      admin().post<{ member: MemberView; password: null }>(path, body),
    );
    expect(second).toMatchObject({ member: { id: member.id, name: 'Somebody else' }, password: null });
    expect(await world.api.all('/v1/members')).toEqual([member]);
    await world.api.signIn(member.email, password ?? '');
  });

  test('are listed newest first, page by page', async () => {
    const made: string[] = [];
    for (const role of ['viewer', 'reviewer', 'operator'] as const) {
      made.unshift((await addMember(world.api, role)).member.id);
    }
    const page = await world.api.get<{ data: MemberView[]; nextCursor: string }>('/v1/members?limit=2');
    const { data, nextCursor } = page.body;
    expect(data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    const rest = await world.api.get<{ data: MemberView[] }>(`/v1/members?limit=2&after=${nextCursor}`);
    expect(rest.body.data.map(({ id }) => id)).toEqual(made.slice(2));
  });

  test('a role holds from the next request on', async () => {
    const { member, api } = await signedInMember(world.api, 'viewer');
    expectProblem(await api.get('/v1/members'), 403, 'missing_scope');
    const path = `/v1/members/${member.id}`;
    const changed = await world.api.expect(200, world.api.patch<MemberView>(path, { role: 'admin' }));
    expect(changed).toEqual({ ...member, role: 'admin' });
    expect((await api.get('/v1/members')).status).toBe(200);
    await addMember(world.api, 'admin');
    await world.api.expect(200, world.api.patch(path, { role: 'reviewer' }));
    expectProblem(await api.get('/v1/members'), 403, 'missing_scope');
  });

  test('who leaves is out at once, and may come back', async () => {
    const { member, api } = await signedInMember(world.api, 'viewer');
    expect((await api.get('/v1/tools')).status).toBe(200);
    expect((await world.api.delete(`/v1/members/${member.id}`)).status).toBe(204);
    expectProblem(await api.get('/v1/tools'), 400, 'tenant_required');
    expectProblem(await api.forTenant(world.tenant.id).get('/v1/tools'), 404, 'not_found');
    expect(await world.api.all('/v1/members')).toEqual([]);
    expectProblem(await world.api.delete(`/v1/members/${member.id}`), 404, 'not_found');
    expectProblem(await world.api.patch(`/v1/members/${member.id}`, { role: 'admin' }), 404, 'not_found');
    const again = await addMember(world.api, 'reviewer', member.email);
    expect(again).toMatchObject({ member: { id: member.id, role: 'reviewer' }, password: null });
    expect((await api.get('/v1/tools')).status).toBe(200);
  });

  test('the last admin can neither leave nor be demoted, even by themselves', async () => {
    const { member, api } = await signedInMember(world.api, 'admin');
    await addMember(world.api, 'operator');
    const path = `/v1/members/${member.id}`;
    for (const client of [api, world.api]) {
      expectProblem(await client.delete(path), 409, 'last_admin');
      expectProblem(await client.patch(path, { role: 'operator' }), 409, 'last_admin');
    }
    expect((await api.patch(path, { role: 'admin' })).status).toBe(200);
    await addMember(api, 'admin');
    expect((await api.delete(path)).status).toBe(204);
  });

  test('of two admins who leave at once, one stays', async () => {
    const members = await Promise.all([addMember(world.api, 'admin'), addMember(world.api, 'admin')]);
    const replies = await Promise.all(
      members.map(({ member }, index) =>
        index === 0
          ? world.api.delete(`/v1/members/${member.id}`)
          : world.api.patch(`/v1/members/${member.id}`, { role: 'viewer' }),
      ),
    );
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(1);
    const left = await world.api.all<MemberView>('/v1/members');
    expect(left.filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  test('a key gives no role beyond its scopes', async () => {
    const body = { name: 'app', scopes: ['admin', 'runs:read'] };
    const { apiKey } = await world.api.expect(201, world.api.post<{ apiKey: string }>('/v1/keys', body));
    const lesser = world.api.withKey(apiKey);
    const person = { email: newEmail(), name: 'x', role: 'viewer' };
    const refused = expectProblem(await lesser.post('/v1/members', person), 403, 'scope_not_held');
    expect(refused.errors).toEqual([{ path: '/role', message: expect.stringContaining('agents:read') }]);
    const { member } = await addMember(world.api, 'viewer');
    expectProblem(await lesser.patch(`/v1/members/${member.id}`, { role: 'admin' }), 403, 'scope_not_held');
  });

  test.each([
    [{ email: 'no address' }, '/email'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ role: 'owner' }, '/role'],
    [{ role: undefined }, '/role'],
    [{ password: 'chosen by somebody else' }, '/password'],
    [{ operator: true }, '/operator'],
  ])('%j is invalid', async (fields, path) => {
    const body = { email: newEmail(), name: 'x', role: 'viewer', ...fields };
    expectInvalid(await world.api.post('/v1/members', body), path);
  });

  test('another tenant\u2019s members do not exist', async () => {
    const other = await createTenant();
    const { member } = await addMember(world.api, 'viewer');
    const path = `/v1/members/${member.id}`;
    expectProblem(await other.api.patch(path, { role: 'admin' }), 404, 'not_found');
    expectProblem(await other.api.delete(path), 404, 'not_found');
    expect(await other.api.all('/v1/members')).toEqual([]);
    expectProblem(await world.api.delete(`/v1/members/${NOBODY}`), 404, 'not_found');
    expectProblem(await world.api.delete('/v1/members/nonsense'), 404, 'not_found');
    expectProblem(await admin().get('/v1/members'), 401, 'unauthorized');
    expect(await world.api.all('/v1/members')).toEqual([member]);
  });
});
