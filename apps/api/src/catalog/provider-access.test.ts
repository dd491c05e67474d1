import type { ModelChoice } from '@countersign/agent-core';
import {
  createResolveAccess,
  type KeyedProvider,
  type ProviderAccessParts,
  type StoredCredential,
  sealProviderKey,
} from './provider-access.js';
import { providerFault, wireApiOf } from './provider-support.js';

const SECRET = 'ab'.repeat(32);
const choice = (provider: ModelChoice['provider'], baseUrl?: string): ModelChoice => ({
  provider,
  model: 'm',
  ...(baseUrl === undefined ? {} : { baseUrl }),
});

function stored(provider: KeyedProvider, baseUrl: string | null = null, tenant = 'ten_a'): StoredCredential {
  return { apiKeySealed: sealProviderKey('sk-tenant', SECRET, tenant, provider, baseUrl), baseUrl };
}

function resolverWith(credential: StoredCredential | null, changes: Partial<ProviderAccessParts> = {}) {
  return createResolveAccess({
    findCredential: async () => credential,
    mayUseDeploymentKeys: async () => false,
    deployment: {
      openai: { apiKey: 'sk-deployment', baseUrl: 'https://gateway.example/v1' },
      anthropic: { apiKey: null, baseUrl: null },
      google: { apiKey: 'sk-google', baseUrl: null },
    },
    secret: SECRET,
    ...changes,
  });
}
const permitted = { mayUseDeploymentKeys: async () => true };
const ok = (apiKey: string, baseUrl: string | null, owner: string) => ({
  type: 'ok',
  access: { apiKey, baseUrl, owner },
});
const missing = expect.objectContaining({ type: 'missing' });

describe("the deployment's keys", () => {
  test('serve a tenant that may use them, at the deployment’s own base URL', async () => {
    const resolve = resolverWith(null, permitted);
    expect(await resolve('ten_a', choice('openai'))).toEqual(
      ok('sk-deployment', 'https://gateway.example/v1', 'deployment'),
    );
    expect(await resolve('ten_a', choice('google'))).toEqual(
      ok('sk-google', 'https://generativelanguage.googleapis.com', 'deployment'),
    );
  });

  test('serve no other tenant', async () => {
    expect(await resolverWith(null)('ten_a', choice('openai'))).toEqual(missing);
  });

  test.each([
    'https://evil.example/v1',
    'https://gateway.example.evil.example/v1',
    'https://gateway.example/v1',
  ])('never go to a base URL that an agent names: %s', async (baseUrl) => {
    expect(await resolverWith(null, permitted)('ten_a', choice('openai', baseUrl))).toEqual(missing);
  });

  test('are missing where the deployment has none', async () => {
    expect(await resolverWith(null, permitted)('ten_a', choice('anthropic'))).toEqual(missing);
  });
});

describe("a tenant's key", () => {
  test("comes before the deployment's, and goes to its own base URL or to the vendor", async () => {
    const own = resolverWith(stored('openai', 'https://proxy.example/v1'), permitted);
    expect(await own('ten_a', choice('openai'))).toEqual(
      ok('sk-tenant', 'https://proxy.example/v1', 'tenant'),
    );
    const vendor = resolverWith(stored('openai'), permitted);
    expect(await vendor('ten_a', choice('openai'))).toEqual(
      ok('sk-tenant', 'https://api.openai.com/v1', 'tenant'),
    );
  });

  test.each([
    ['https://proxy.example/other', true],
    ['https://proxy.example:443/', true],
    ['https://proxy.example:8443/v1', false],
    ['http://proxy.example/v1', false],
    ['https://proxy.example.evil.example/v1', false],
    ['https://api.openai.com/v1', false],
  ])("goes to an agent's base URL of the same origin alone: %s %s", async (baseUrl, goes) => {
    const resolve = resolverWith(stored('openai', 'https://proxy.example/v1'), permitted);
    const expected = goes ? ok('sk-tenant', baseUrl, 'tenant') : missing;
    expect(await resolve('ten_a', choice('openai', baseUrl))).toEqual(expected);
  });

  test("that was stored for the vendor goes to the vendor's address when an agent names it", async () => {
    const resolve = resolverWith(stored('openai'));
    const baseUrl = 'https://api.openai.com/v1';
    expect(await resolve('ten_a', choice('openai', baseUrl))).toEqual(ok('sk-tenant', baseUrl, 'tenant'));
  });

  test.each<[string, StoredCredential]>([
    ['another tenant', stored('openai', null, 'ten_b')],
    ['another provider', stored('anthropic')],
    ['another origin', { ...stored('openai', 'https://a.example/'), baseUrl: 'https://b.example/' }],
  ])('that was sealed for %s does not open, and is not used', async (_what, credential) => {
    const resolution = await resolverWith(credential, permitted)('ten_a', choice('openai'));
    expect(resolution).toEqual(missing);
    expect(JSON.stringify(resolution)).not.toContain(credential.apiKeySealed);
  });
});

describe('openai-compatible', () => {
  const local = 'http://127.0.0.1:11434/v1';

  test('takes no key where the tenant has none for that origin', async () => {
    expect(await resolverWith(null, permitted)('ten_a', choice('openai-compatible', local))).toEqual(
      ok('', local, 'nobody'),
    );
    const other = resolverWith(stored('openai-compatible', 'https://other.example/v1'));
    expect(await other('ten_a', choice('openai-compatible', local))).toEqual(ok('', local, 'nobody'));
  });

  test('takes the key of the tenant for that origin', async () => {
    const resolve = resolverWith(stored('openai-compatible', local));
    expect(await resolve('ten_a', choice('openai-compatible', local))).toEqual(
      ok('sk-tenant', local, 'tenant'),
    );
    expect(await resolve('ten_a', choice('openai-compatible'))).toEqual(ok('sk-tenant', local, 'tenant'));
  });

  test('needs a base URL', async () => {
    expect(await resolverWith(null, permitted)('ten_a', choice('openai-compatible'))).toEqual(missing);
  });
});

describe('what this build speaks', () => {
  test.each<[ModelChoice['provider'], ModelChoice['api'], string | null]>([
    ['openai', undefined, 'chat'],
    ['openai', 'chat', 'chat'],
    ['openai', 'responses', 'responses'],
    ['openai', 'messages', null],
    ['openai-compatible', undefined, 'chat'],
    ['openai-compatible', 'responses', 'responses'],
    ['anthropic', undefined, 'messages'],
    ['anthropic', 'messages', 'messages'],
    ['anthropic', 'chat', null],
    ['google', undefined, 'generateContent'],
    ['google', 'generateContent', 'generateContent'],
    ['google', 'interactions', 'interactions'],
    ['google', 'chat', null],
    ['scripted', undefined, 'scripted'],
  ])('%s by %s: %s', (provider, api, expected) => {
    const named: ModelChoice = { provider, model: 'm', ...(api === undefined ? {} : { api }) };
    expect(wireApiOf(named)).toBe(expected);
    expect(providerFault(named, { demo: true }) === null).toBe(expected !== null);
  });

  test('the scripted provider is for demonstrations alone', () => {
    expect(providerFault(choice('scripted'), { demo: false })).toContain('COUNTERSIGN_DEMO=1');
  });
});
