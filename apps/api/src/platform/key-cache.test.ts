import { KeyCache, type KnownKey } from './key-cache.js';

const key: KnownKey = {
  id: 'key_1',
  name: 'app',
  tenant: 'ten_1',
  tenantSlug: 'one',
  tenantName: 'One',
  scopes: ['runs:read'],
  expiresAt: null,
  suspended: false,
  requestsPerSecond: 100,
};

function setUp(found: (digest: string) => KnownKey | null) {
  const state = { now: 0, asked: 0 };
  const cache = new KeyCache(
    async (digest) => {
      state.asked += 1;
      return found(digest);
    },
    () => state.now,
  );
  return { state, cache };
}

describe('the cache of keys', () => {
  test('asks the database once in a while', async () => {
    const { state, cache } = setUp(() => key);
    await cache.lookUp('d');
    await cache.lookUp('d');
    expect(state.asked).toBe(1);
    state.now = 2_001;
    await cache.lookUp('d');
    expect(state.asked).toBe(2);
  });

  test('forgets a tenant\u2019s keys at once', async () => {
    const { state, cache } = setUp((digest) => ({ ...key, tenant: digest }));
    await cache.lookUp('ten_1');
    await cache.lookUp('ten_2');
    cache.forget('ten_1');
    await cache.lookUp('ten_1');
    await cache.lookUp('ten_2');
    expect(state.asked).toBe(3);
  });

  test('a key that expires while it is remembered is unknown', async () => {
    const { state, cache } = setUp(() => ({ ...key, expiresAt: new Date(1_000) }));
    expect(await cache.lookUp('d')).not.toBeNull();
    state.now = 1_000;
    expect(await cache.lookUp('d')).toBeNull();
  });

  test('an unknown key is asked for each time', async () => {
    const { state, cache } = setUp(() => null);
    await cache.lookUp('d');
    await cache.lookUp('d');
    expect(state.asked).toBe(2);
  });
});
