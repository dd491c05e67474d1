import type { Log } from '../platform/log.js';
import type { QueueAccess } from '../platform/wake.js';
import type { ClaimedRun } from './claim.repository.js';

export interface ProcessorParts {
  readonly queue: Pick<QueueAccess, 'openWorker'>;
  readonly claim: () => Promise<ClaimedRun | null>;
  /** Gives whether a run was left that nobody is woken for. */
  readonly execute: (claimed: ClaimedRun) => Promise<boolean>;
  readonly concurrency: number;
  readonly log: Log;
}

export interface Processors {
  /** Claims nothing more, and waits for the runs under way. */
  close(): Promise<void>;
}

/**
 * A run that waited longer than this, in milliseconds, had no job of its own, or the jobs themselves wait: there are fewer
 * of them than of runs (see WAITING_JOBS).
 */
const BACKLOG_MS = 100;

/**
 * The entry from the queue. A job says only that there may be work (invariant I7): whoever gets it claims the run whose
 * turn it is by fairness, and goes on while there may be runs without a job of their own.
 */
export function startProcessors({ queue, claim, execute, concurrency, log }: ProcessorParts): Processors {
  let stopping = false;
  const claimLoop = async (): Promise<void> => {
    for (let more = true; more && !stopping; ) {
      const claimed = await claim();
      more = claimed !== null && ((await execute(claimed)) || claimed.waited > BACKLOG_MS);
    }
  };
  const worker = queue.openWorker(async () => {
    try {
      await claimLoop();
    } catch (error) {
      log.error({ err: error }, 'runs could not be claimed: the sweeper wakes again');
    }
  }, concurrency);
  return {
    close: () => {
      stopping = true;
      return worker.close();
    },
  };
}
