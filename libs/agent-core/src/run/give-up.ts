import { lastTurn } from './calls.js';
import { closeRun, failed } from './close-run.js';
import type { DecideContext } from './decide-context.js';
import { resultText } from './result-text.js';
import type { Ending, Run } from './run.js';
import type { RunEvent } from './run-event.js';

/** Claims in a row without progress after which a run is given up (CONTRACT, `worker_lost`). */
const CLAIMS_WITHOUT_PROGRESS = 5;

export const WORKER_LOST = failed('worker_lost', 'The worker was lost five times in a row without progress.');

/** True once a run has lost its worker so often that it is not worked on again. */
export function isLostForGood(run: Run): boolean {
  return run.claimsWithoutProgress > CLAIMS_WITHOUT_PROGRESS;
}

/**
 * What ends a run that cannot be worked on any more; the first cause stands. Nothing is performed for it: an effect in
 * doubt is said to be unknown, so that a person is asked before the run ends. Where something was in doubt, what is
 * given leaves the run running, to be closed next.
 */
export function giveUp(
  run: Run,
  cause: Ending,
  { tools, now }: Pick<DecideContext, 'tools' | 'now'>,
): readonly RunEvent[] {
  const ending = run.ending ?? cause;
  const inDoubt = lastTurn(run)?.calls.filter((call) => call.state.status === 'executing') ?? [];
  if (inDoubt.length === 0) return closeRun(run, ending, { now });
  const askUntil = now + run.limits.approvalTtlSeconds * 1000;
  const given = inDoubt.map(({ id: toolCallId, tool }): RunEvent => {
    const repeatable = ['read', 'idempotent'].includes(tools.get(tool)?.effect ?? 'once');
    return repeatable
      ? {
          type: 'tool.failed',
          toolCallId,
          code: 'worker_lost',
          message: resultText.lost,
          infrastructure: true,
          attempts: 0,
        }
      : {
          type: 'tool.unknown',
          toolCallId,
          message: resultText.lost,
          onUnknown: 'ask',
          askUntil,
          attempts: 0,
        };
  });
  return [{ type: 'run.ending', ...ending }, ...given];
}
