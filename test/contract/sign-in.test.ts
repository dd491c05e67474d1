import { type Api, admin, cookieOf, createTenant, type Reply, type TestTenant } from '../support/client.js';
import { addMember, newEmail, signedInMember, type TestMember } from '../support/people.js';
import { sharedStack } from '../support/stack.js';
import { expectInvalid, expectProblem } from './problem.js';

const SIGN_IN = '/api/auth/sign-in/email';

interface MeView {
  readonly actor: { readonly type: string; readonly id: string };
  readonly operator: boolean;
  readonly tenant: { readonly id: string; readonly role: string | null; readonly scopes: string[] } | null;
  readonly tenants: readonly { readonly slug: string; readonly role: string | null }[];
}

const meOf = (api: Api): Promise<MeView> => api.expect(200, api.get<MeView>('/v1/me'));

describe('signing in', () => {
  let world: TestTenant;
  let person: TestMember;
  let nobody: Api;
  beforeAll(async () => {
    world = await createTenant();
    person = await signedInMember(world.api, 'admin');
    nobody = world.api.withoutKey();
  });

  test('gives a cookie that no script reads and no other site sends, for seven days', async () => {
    const { email } = person.member;
    const reply = await nobody.post(SIGN_IN, { email, password: person.password });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ user: { id: person.member.id, email, name: 'A admin' } });
    const [cookie, ...others] = reply.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^countersign\.session_token=[^;]+;/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).toContain('Path=/');
    expect(cookie).toContain(`Max-Age=${7 * 24 * 60 * 60}`);
    expect(cookie).not.toContain('Secure');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('over https the cookie never leaves it', async () => {
    const body = { email: person.member.email, password: person.password };
    const reply = await nobody.post(SIGN_IN, body, { 'x-forwarded-proto': 'https' });
    expect(reply.headers.getSetCookie()[0]).toContain('; Secure');
  });

  test('takes an address in any case', async () => {
    const body = { email: person.member.email.toUpperCase(), password: person.password };
    expect((await nobody.post(SIGN_IN, body)).status).toBe(200);
  });

  test('answers an unknown address and a wrong password alike', async () => {
    const unknown = await nobody.post<object>(SIGN_IN, { email: newEmail(), password: person.password });
    const wrong = await nobody.post<object>(SIGN_IN, { email: person.member.email, password: 'not the one' });
    expectProblem(unknown, 401, 'sign_in_refused');
    const { requestId: _one, ...first } = unknown.body as { requestId: string };
    const { requestId: _other, ...second } = wrong.body as { requestId: string };
    expect(first).toEqual(second);
    expect(unknown.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    [{ email: 'no address' }, '/email'],
    [{ password: '' }, '/password'],
    [{ password: 'x'.repeat(200) }, '/password'],
    [{ rememberMe: true }, '/rememberMe'],
  ])('%j is invalid', async (fields, path) => {
    expectInvalid(await nobody.post(SIGN_IN, { email: newEmail(), password: 'x', ...fields }), path);
  });

  test('is slowed down where it fails again and again, for that address alone', async () => {
    const email = newEmail();
    const guess = (): Promise<Reply<unknown>> => nobody.post(SIGN_IN, { email, password: 'a guess' });
    let reply = await guess();
    for (let failures = 1; reply.status === 401 && failures < 20; failures += 1) reply = await guess();
    expectProblem(reply, 429, 'rate_limited');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expectProblem(
      await nobody.post(SIGN_IN, { email: newEmail(), password: 'a guess' }),
      401,
      'sign_in_refused',
    );
  });

  test('nothing else of the library is reachable', async () => {
    const signedIn = await nobody.signIn(person.member.email, person.password);
    const body = { email: newEmail(), password: 'long enough to pass', name: 'Somebody' };
    for (const path of [
      'sign-up/email',
      'update-user',
      'delete-user',
      'change-email',
      'set-password',
      'list-sessions',
      'revoke-sessions',
      'request-password-reset',
      'organization/create',
      'admin/create-user',
      'ok',
    ]) {
      expectProblem(await signedIn.post(`/api/auth/${path}`, body), 404, 'not_found');
      expectProblem(await signedIn.get(`/api/auth/${path}`), 404, 'not_found');
    }
  });

  test('signing out ends the session at once', async () => {
    const session = await nobody.signIn(person.member.email, person.password);
    expect((await session.get('/v1/members')).status).toBe(200);
    const reply = await session.post('/api/auth/sign-out', {});
    expect(reply.status).toBe(204);
    expect(reply.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expectProblem(await session.get('/v1/members'), 401, 'unauthorized');
    expect((await session.get('/api/auth/get-session')).text).toBe('null');
  });

  test('a session says who it is', async () => {
    const { id, email, name } = person.member;
    const reply = await person.api.get('/api/auth/get-session');
    expect(reply.body).toEqual({ user: { id, email, name }, session: { expiresAt: expect.any(String) } });
  });

  test('a cookie that nobody signed is none', async () => {
    const reply = await nobody.post(SIGN_IN, credentials(person));
    const forged = cookieOf(reply).replace(/=(.)/, (_all, first) => `=${first === 'A' ? 'B' : 'A'}`);
    expectProblem(await nobody.withCookie(forged).get('/v1/me'), 401, 'unauthorized');
    expectProblem(await nobody.get('/v1/me'), 401, 'unauthorized');
  });

  test('a session that has expired is none, and one in use is prolonged', async () => {
    const { database } = sharedStack();
    const session = await nobody.signIn(person.member.email, person.password);
    const moveExpiry = (interval: string) =>
      database.query(`UPDATE sessions SET expires_at = now() + $2::interval WHERE user_id = $1`, [
        person.member.id,
        interval,
      ]);
    await moveExpiry('3 days');
    const renewed = await session.get('/v1/me');
    expect(renewed.headers.getSetCookie()[0]).toContain(`Max-Age=${7 * 24 * 60 * 60}`);
    expect((await session.get('/v1/me')).headers.getSetCookie()).toEqual([]);
    await moveExpiry('-1 second');
    expectProblem(await session.get('/v1/me'), 401, 'unauthorized');
    person = { ...person, api: await nobody.signIn(person.member.email, person.password) };
  });

  test('another password ends every other session, and the former password', async () => {
    const { member, password, api } = await signedInMember(world.api, 'viewer');
    const elsewhere = await nobody.signIn(member.email, password);
    const change = (body: object) =>
      api.post('/api/auth/change-password', { currentPassword: password, ...body });
    expectInvalid(await change({ newPassword: 'short' }), '/newPassword');
    expectInvalid(
      await change({ currentPassword: 'not the one', newPassword: 'long enough to pass' }),
      '/currentPassword',
    );
    const changed = await change({ newPassword: 'long enough to pass' });
    expect(changed.status).toBe(200);
    expect(changed.text).not.toContain('token');
    expectProblem(await elsewhere.get('/v1/me'), 401, 'unauthorized');
    expect((await nobody.withCookie(cookieOf(changed)).get('/v1/me')).status).toBe(200);
    const before = await nobody.post(SIGN_IN, { email: member.email, password });
    expectProblem(before, 401, 'sign_in_refused');
    await nobody.signIn(member.email, 'long enough to pass');
  });

  test('a key outweighs a cookie, and has no session', async () => {
    const { key } = world.api;
    const both = { authorization: `Bearer ${key}` };
    const me = await person.api.get<MeView>('/v1/me', both);
    expect(me.body.actor).toMatchObject({ type: 'key' });
    const wrong = await person.api.get('/v1/me', { authorization: 'Bearer wrong' });
    expectProblem(wrong, 401, 'unauthorized');
    const change = await world.api.post('/api/auth/change-password', {
      currentPassword: 'x',
      newPassword: 'long enough to pass',
    });
    expectProblem(change, 401, 'unauthorized');
  });
});

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

    const again = await addMember(other.api, 'admin', member.email);
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

describe('a request with a cookie that changes something', () => {
  let person: TestMember;
  beforeAll(async () => {
    person = await signedInMember((await createTenant()).api, 'admin');
  });
  const post = (headers: Record<string, string>) =>
    person.api.post('/v1/keys', { name: 'app', scopes: ['runs:read'] }, headers);
  const host = () => new URL(person.api.baseUrl).host;

  test.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site, whatever the origin', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another origin than our proxy was asked', { 'x-forwarded-host': 'shop.example' }],
  ])('is refused from %s', async (_name, headers) => {
    expectProblem(await post(headers), 403, 'cross_origin');
  });

  test('is refused where nobody says from where', async () => {
    const cookie = cookieOf(await person.api.withoutKey().post(SIGN_IN, credentials(person)));
    const response = await fetch(`${person.api.baseUrl}/v1/keys`, { method: 'POST', headers: { cookie } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'cross_origin' });
  });

  test('is taken from our own pages, through a proxy as well', async () => {
    expect((await post({})).status).toBe(201);
    expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    const proxied = { origin: 'https://desk.example', 'x-forwarded-host': 'desk.example' };
    expect((await post({ ...proxied })).status).toBe(201);
    expect((await post({ 'x-forwarded-host': `${host()}, inner` })).status).toBe(201);
  });

  test('is refused before it is looked at, and so is signing in from another page', async () => {
    const other = { origin: 'https://evil.test' };
    const api = person.api.withoutKey();
    expectProblem(await api.post(SIGN_IN, credentials(person), other), 403, 'cross_origin');
    expectProblem(await person.api.post('/api/auth/sign-out', {}, other), 403, 'cross_origin');
    expect((await person.api.get('/v1/me', other)).status).toBe(200);
  });
});

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

function credentials({ member, password }: TestMember) {
  return { email: member.email, password };
}
