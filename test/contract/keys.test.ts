import { type Api, createTenant } from '../support/client.js';
import { expectInvalid, expectProblem } from './problem.js';

interface KeyView {
  readonly id: string;
  readonly prefix: string;
  readonly apiKey: string;
}

const make = (api: Api, scopes: readonly string[], more: object = {}): Promise<KeyView> =>
  api.expect(201, api.post<KeyView>('/v1/keys', { name: 'app', scopes, ...more }));

describe('keys', () => {
  test('are shown once, and told apart by their first characters afterwards', async () => {
    const { api } = await createTenant();
    const key = await make(api, ['agents:read', 'admin']);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: 'app',
      prefix: key.apiKey.slice(0, key.prefix.length),
      scopes: ['agents:read', 'admin'],
      expiresAt: null,
      createdAt: expect.any(String),
      apiKey: expect.any(String),
    });
    const listed = await api.get('/v1/keys');
    expect(listed.text).toContain(key.id);
    expect(listed.text).not.toContain(key.apiKey);
    expect(listed.text).not.toContain('apiKey');
  });

  test('give no scope that the calling key lacks', async () => {
    const { api } = await createTenant();
    const { apiKey } = await make(api, ['admin', 'runs:read']);
    const lesser = api.withKey(apiKey);
    await make(lesser, ['runs:read']);
    const refused = expectProblem(
      await lesser.post('/v1/keys', { name: 'app', scopes: ['runs:read', 'runs:write'] }),
      403,
      'scope_not_held',
    );
    expect(refused.errors).toEqual([{ path: '/scopes/1', message: expect.stringContaining('runs:write') }]);
  });

  test('are not rotated by one that lacks their scopes: who rotates a key holds it', async () => {
    const { api } = await createTenant();
    const strong = await make(api, ['runs:write']);
    const lesser = api.withKey((await make(api, ['admin'])).apiKey);
    expectProblem(await lesser.post(`/v1/keys/${strong.id}/rotate`, {}), 403, 'scope_not_held');
  });

  test('a rotated key ends at once, the new one works', async () => {
    const { api } = await createTenant();
    const key = await make(api, ['agents:read']);
    expect((await api.withKey(key.apiKey).get('/v1/tools')).status).toBe(200);
    const rotated = await api.expect(200, api.post<KeyView>(`/v1/keys/${key.id}/rotate`, {}));
    expect(rotated.id).toBe(key.id);
    expectProblem(await api.withKey(key.apiKey).get('/v1/tools'), 401, 'unauthorized');
    expect((await api.withKey(rotated.apiKey).get('/v1/tools')).status).toBe(200);
  });

  test('a deleted key ends at once and is gone from the list', async () => {
    const { api } = await createTenant();
    const key = await make(api, ['agents:read']);
    expect((await api.withKey(key.apiKey).get('/v1/tools')).status).toBe(200);
    expect((await api.delete(`/v1/keys/${key.id}`)).status).toBe(204);
    expectProblem(await api.withKey(key.apiKey).get('/v1/tools'), 401, 'unauthorized');
    expect((await api.get('/v1/keys')).text).not.toContain(key.id);
    expectProblem(await api.delete(`/v1/keys/${key.id}`), 404, 'not_found');
  });

  test('a key that has expired is none', async () => {
    const { api } = await createTenant();
    const soon = new Date(Date.now() + 1_000).toISOString();
    const { apiKey } = await make(api, ['agents:read'], { expiresAt: soon });
    expect((await api.withKey(apiKey).get('/v1/tools')).status).toBe(200);
    while (new Date().toISOString() <= soon) await api.get('/v1/keys');
    expectProblem(await api.withKey(apiKey).get('/v1/tools'), 401, 'unauthorized');
  });

  test.each([
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['everything'] }, '/scopes/0'],
    [{ name: '' }, '/name'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ expiresAt: 'tomorrow' }, '/expiresAt'],
  ])('%j is invalid', async (fields, path) => {
    const { api } = await createTenant();
    expectInvalid(await api.post('/v1/keys', { name: 'app', scopes: ['runs:read'], ...fields }), path);
  });

  test('another tenant\u2019s keys do not exist', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    const key = await make(one.api, ['agents:read']);
    expectProblem(await other.api.post(`/v1/keys/${key.id}/rotate`, {}), 404, 'not_found');
    expectProblem(await other.api.delete(`/v1/keys/${key.id}`), 404, 'not_found');
    expect((await other.api.get('/v1/keys')).text).not.toContain(key.id);
    expect((await one.api.withKey(key.apiKey).get('/v1/tools')).status).toBe(200);
  });
});
