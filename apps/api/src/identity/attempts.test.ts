import { RateLimit } from '../platform/rate-limit.js';
import { takeAttempt } from './attempts.js';

/** How many of `count` attempts are admitted. */
function admitted(rates: RateLimit, count: number, attempt: (index: number) => [string, string]): number {
  return Array.from({ length: count }, (_, index) => {
    try {
      takeAttempt(rates, ...attempt(index));
      return 1;
    } catch {
      return 0;
    }
  }).reduce<number>((sum, each) => sum + each, 0);
}

describe('attempts to sign in', () => {
  test('at one account from one address: ten, then two a minute', () => {
    let now = 0;
    const rates = new RateLimit(() => now);
    const attempt = (): [string, string] => ['a@x.test', '203.0.113.1'];
    expect(admitted(rates, 20, attempt)).toBe(10);
    now = 60_000;
    expect(admitted(rates, 20, attempt)).toBe(2);
  });

  test('at one account are limited wherever they say that they come from', () => {
    const rates = new RateLimit(() => 0);
    expect(admitted(rates, 100, (index) => ['a@x.test', `198.51.100.${index}`])).toBe(50);
  });

  test('from one address are limited whomever they try', () => {
    const rates = new RateLimit(() => 0);
    expect(admitted(rates, 200, (index) => [`${index}@x.test`, '203.0.113.1'])).toBe(100);
  });

  test('that succeed count for nothing', () => {
    const rates = new RateLimit(() => 0);
    for (let count = 0; count < 200; count += 1) {
      rates.giveBack(takeAttempt(rates, 'a@x.test', '203.0.113.1'));
    }
    expect(admitted(rates, 20, () => ['a@x.test', '203.0.113.1'])).toBe(10);
  });
});
