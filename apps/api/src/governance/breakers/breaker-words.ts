import type { ModelFailure, ToolOutcome } from '@countersign/agent-core';
import type { BreakerFailure } from './breaker.repository.js';

/**
 * What the end of a call says of the other side: that it is in trouble; that it works, even if it refused this call; or
 * nothing, since nothing reached it or the call was given up here.
 */
export type Health =
  | ({ readonly type: 'failed' } & BreakerFailure)
  | { readonly type: 'answered' }
  | { readonly type: 'undecided' };

const ANSWERED: Health = { type: 'answered' };
const UNDECIDED: Health = { type: 'undecided' };

/** Failures of ours, or of what the call was made of: nothing was sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'aborted',
  'egress_refused',
  'executor_unavailable',
  'tool_credentials_unreadable',
]);

/**
 * Of a tool: time-outs, broken connections, 5xx, and an overload that outlasts its retries (408, 425, 429) speak against
 * it, also where a `once` is in doubt because of them. What the tool says of the call (other 4xx) shows that it works.
 */
export function healthOfTool(outcome: ToolOutcome): Health {
  if (outcome.type === 'succeeded') return ANSWERED;
  if (outcome.type === 'failed' && NOT_SENT.has(outcome.code)) return UNDECIDED;
  if (!outcome.infrastructure) return ANSWERED;
  const code = outcome.type === 'unknown' ? 'outcome_unknown' : outcome.code;
  return { type: 'failed', code, retryAfterMs: null };
}

/**
 * Of a provider; null: a reply came. A rate limit counts, since five running mean that there is no room for this
 * credential. A wrong key, a bill, a refusal, a request that is too long or wrong are the caller's, and come from a
 * provider that works, unless nothing was sent at all.
 */
export function healthOfProvider(failure: ModelFailure | null): Health {
  if (failure === null) return ANSWERED;
  switch (failure.code) {
    case 'rate_limited':
    case 'overloaded':
    case 'timeout':
    case 'unreadable':
      return { type: 'failed', code: failure.code, retryAfterMs: failure.retryAfterMs };
    case 'aborted':
      return UNDECIDED;
    case 'context_overflow':
    case 'bad_request':
    case 'unauthorized':
    case 'billing':
    case 'refused':
      return failure.neverSent ? UNDECIDED : ANSWERED;
  }
}
