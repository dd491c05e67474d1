import type { ModelFailureCode } from './model-event.js';
import { isRetryable } from './retryable.js';

const failure = (code: ModelFailureCode) => ({
  code,
  message: '',
  status: null,
  neverSent: false,
  retryAfterMs: null,
  usage: null,
});

describe('a failed attempt', () => {
  it.each(['rate_limited', 'overloaded', 'timeout', 'unreadable'] as const)(
    '%s may be tried again',
    (code) => {
      expect(isRetryable(failure(code))).toBe(true);
    },
  );

  it.each(['context_overflow', 'bad_request', 'unauthorized', 'billing', 'refused', 'aborted'] as const)(
    '%s is not tried again',
    (code) => {
      expect(isRetryable(failure(code))).toBe(false);
    },
  );
});
