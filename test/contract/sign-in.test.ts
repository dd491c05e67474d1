import { type Api, cookieOf, createTenant, type Reply, type TestTenant } from '../support/client.js';
import { type MeView, newEmail, signedInMember, type TestMember } from '../support/people.js';
import { sharedStack } from '../support/stack.js';
import { expectInvalid, expectProblem } from './problem.js';

const SIGN_IN = '/api/auth/sign-in/email';

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

function credentials({ member, password }: TestMember) {
  return { email: member.email, password };
}
