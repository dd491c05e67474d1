import { Problem } from '../platform/problem.js';
import type { RateLimit } from '../platform/rate-limit.js';

const MINUTE = 1 / 60;

/**
 * Attempts that fail, by what they have in common: so many `atOnce`, then so many a second. The address can be feigned
 * behind a proxy, so an e-mail address has a limit of its own, wide enough that a neighbour's mistakes lock nobody out.
 */
const LIMITS = [
  { of: (email: string, address: string) => `${email} ${address}`, atOnce: 10, perSecond: 2 * MINUTE },
  { of: (email: string) => email, atOnce: 50, perSecond: MINUTE },
  { of: (_email: string, address: string) => address, atOnce: 100, perSecond: 60 * MINUTE },
] as const;

/**
 * Counts an attempt to prove who one is by a password, before it is looked at.
 * @returns what to give back where the attempt succeeds.
 * @throws Problem rate_limited.
 */
export function takeAttempt(
  rates: Pick<RateLimit, 'take'>,
  email: string,
  address: string,
): readonly string[] {
  return LIMITS.map(({ of, atOnce, perSecond }) => {
    const name = of(email, address);
    const seconds = rates.take([name], perSecond, atOnce);
    if (seconds === 0) return name;
    throw new Problem('rate_limited', 'Too many attempts to sign in have failed.', {
      headers: { 'retry-after': String(seconds) },
    });
  });
}
