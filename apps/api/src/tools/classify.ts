import type { EffectClass } from '@countersign/agent-core';

/** Where an attempt failed without a whole response. */
export type NetworkFailure = 'refused' | 'dns' | 'connect' | 'tls' | 'timeout' | 'broken' | 'aborted';

/** How one attempt at an HTTP call ended. */
export type Ending =
  /** The status arrived. `complete`: and its whole body; `retryAfter`: with a Retry-After that can be read. */
  | {
      readonly type: 'response';
      readonly status: number;
      readonly complete: boolean;
      readonly retryAfter: boolean;
    }
  /** `neverSent`: not a byte of the request left, so that nothing can have run. */
  | { readonly type: 'error'; readonly kind: NetworkFailure; readonly neverSent: boolean };

/**
 * What an ending means. `ran`: there is a result. `failed`: it did not run, or its failure is final. `retry`: the same
 * request may be sent again with the same key; once no attempt is left it has failed. `unknown`: nobody can say.
 */
export type Meaning = 'ran' | 'failed' | 'retry' | 'unknown';

/** CONTRACT, "An http call": the one place that says what an ending means for each class of effect. */
export function classify(effect: EffectClass, ending: Ending): Meaning {
  if (ending.type === 'error') return ofError(effect, ending.kind, ending.neverSent);
  const success = ending.status >= 200 && ending.status <= 299;
  if (success && !ending.complete) return ofError(effect, 'broken', false);
  if (success) return 'ran';
  return effect === 'once' ? ofOnce(ending.status, ending.retryAfter) : ofRepeatable(ending.status);
}

function ofError(effect: EffectClass, kind: NetworkFailure, neverSent: boolean): Meaning {
  if (effect === 'once') return neverSent ? 'failed' : 'unknown';
  return kind === 'refused' || kind === 'aborted' ? 'failed' : 'retry';
}

function ofRepeatable(status: number): Meaning {
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'retry' : 'failed';
}

/** Statuses that say of themselves that the request was refused and did nothing. */
const REFUSALS = new Set([426, 428, 431, 451]);

function ofOnce(status: number, retryAfter: boolean): Meaning {
  if (status === 425 || status === 429 || (status === 503 && retryAfter)) return 'retry';
  const refused =
    (status >= 400 && status <= 407) || (status >= 410 && status <= 424) || REFUSALS.has(status);
  return refused ? 'failed' : 'unknown';
}
