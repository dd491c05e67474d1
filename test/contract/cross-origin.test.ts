import { cookieOf, createTenant } from '../support/client.js';
import { signedInMember, type TestMember } from '../support/people.js';
import { expectProblem } from './problem.js';

const SIGN_IN = '/api/auth/sign-in/email';

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

function credentials({ member, password }: TestMember) {
  return { email: member.email, password };
}
