import type { ModelFailure } from './model-event.js';

/**
 * Whether the same request may succeed when it is sent again. A deterministic refusal (a bad request, a bill to pay,
 * a wrong key, a conversation that is too long, a filter) never does, and an abort was somebody's wish.
 */
export function isRetryable(failure: ModelFailure): boolean {
  switch (failure.code) {
    case 'rate_limited':
    case 'overloaded':
    case 'timeout':
    case 'unreadable':
      return true;
    case 'context_overflow':
    case 'bad_request':
    case 'unauthorized':
    case 'billing':
    case 'refused':
    case 'aborted':
      return false;
  }
}
