import type { Instant } from '../shared/brand.js';
import { failed } from './close-run.js';
import type { DecideContext } from './decide-context.js';
import { type Ending, type FailedAttempt, type Run, ranMs } from './run.js';

/** At most so many attempts a model, and so long, then the next fallback (CONTRACT, Runs). */
const ATTEMPTS_PER_MODEL = 3;
const PATIENCE_MS = 60_000;

/** A worker that stopped or was lost in the middle of a call says nothing of the model. */
const NOT_THE_MODELS_FAULT: ReadonlySet<string> = new Set(['aborted', 'worker_lost']);

export type ModelDecision =
  | {
      readonly type: 'call_model';
      readonly choice: number;
      readonly attempt: number;
      readonly retryAfterMs: number | null;
    }
  /** Every model that is left is held back by its circuit breaker; the first may be tried at `until`. */
  | { readonly type: 'wait'; readonly until: Instant }
  | { readonly type: 'end'; readonly ending: Ending };

/**
 * Which model is called next, or why none is: limits of the run, attempts used up, circuit breakers. What a breaker holds
 * back is passed over at once; where nothing else is left, the run waits for it, even if its own attempts are used up.
 */
export function chooseModel(run: Run, { agent, now, breakers }: DecideContext): ModelDecision {
  if (run.turns.length >= run.limits.maxTurns) {
    return end(failed('turn_limit', `The run may take ${run.limits.maxTurns} turns and has no answer yet.`));
  }
  // As for a reply that was filtered: what one provider's filter stopped is not tried on the next one.
  if (run.failedAttempts.at(-1)?.code === 'refused') return end({ status: 'refused', reason: null });
  const { maxTokens } = run.limits;
  if (maxTokens !== null && run.usage.inputTokens + run.usage.outputTokens >= maxTokens) {
    return end(failed('token_limit', `The run may use ${maxTokens} tokens and has used them.`));
  }
  let until: Instant | null = null;
  for (let choice = 0; choice < agent.models.length; choice += 1) {
    const attempts = run.failedAttempts.filter(
      (attempt) => attempt.choice === choice && !NOT_THE_MODELS_FAULT.has(attempt.code),
    );
    const heldBack = breakers.models.get(choice) ?? now;
    if (heldBack > now && attempts.at(-1)?.retryable !== false) until = Math.min(until ?? heldBack, heldBack);
    else if (!isUsedUp(attempts, ranMs(run, now))) {
      return {
        type: 'call_model',
        choice,
        attempt: attempts.length + 1,
        retryAfterMs: attempts.at(-1)?.retryAfterMs ?? null,
      };
    }
  }
  return until === null ? end(endingOfFailures(run.failedAttempts)) : { type: 'wait', until };
}

function end(ending: Ending): ModelDecision {
  return { type: 'end', ending };
}

/** A provider that asks for more patience than is left is passed over at once. */
function isUsedUp(attempts: readonly FailedAttempt[], ran: number): boolean {
  const [first] = attempts;
  const last = attempts.at(-1);
  if (first === undefined || last === undefined) return false;
  return (
    !last.retryable ||
    attempts.length >= ATTEMPTS_PER_MODEL ||
    ran + (last.retryAfterMs ?? 0) - first.ranMs > PATIENCE_MS
  );
}

/** A fault of the request is `model_error`: trying again would change nothing. The rest is `model_unavailable`. */
function endingOfFailures(attempts: readonly FailedAttempt[]): Ending {
  const last = attempts.at(-1);
  switch (last?.code) {
    case 'context_overflow':
      return {
        status: 'incomplete',
        reason: { code: 'context_overflow', message: 'The conversation no longer fits the model.' },
      };
    case 'bad_request':
      return failed(
        'model_error',
        'The request was refused, by the provider or before it left; the event model.failed says why.',
      );
    default:
      return failed(
        'model_unavailable',
        `No model could be reached (last: ${last?.code ?? 'none configured'}).`,
      );
  }
}
