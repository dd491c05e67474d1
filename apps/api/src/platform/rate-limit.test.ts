import { RateLimit } from './rate-limit.js';

describe('the rate limit', () => {
  test('admits a second\u2019s worth at once, then as many as come in', () => {
    let now = 0;
    const limit = new RateLimit(() => now);
    const taken = (count: number): number[] =>
      Array.from({ length: count }, () => limit.take(['key', 'tenant'], 2));
    expect(taken(3)).toEqual([0, 0, 1]);
    now = 500;
    expect(taken(2)).toEqual([0, 1]);
  });

  test('counts a tenant across its keys', () => {
    const limit = new RateLimit(() => 0);
    expect(limit.take(['a', 'tenant'], 1)).toBe(0);
    expect(limit.take(['b', 'tenant'], 1)).toBe(1);
    expect(limit.take(['b', 'other'], 1)).toBe(0);
  });
});
