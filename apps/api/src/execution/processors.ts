import type { Log } from '../platform/log.js';
import type { QueueAccess } from '../platform/wake.js';
import type { ClaimedRun } from './claim.repository.js';

export interface ProcessorParts {
  readonly queue: Pick<QueueAccess, 'openWorker'>;
  readonly claim: () => Promise<ClaimedRun | null>;
  readonly execute: (claimed: ClaimedRun) => Promise<void>;
  readonly concurrency: number;
  readonly log: Log;
}

export interface Processors {
  /** Claims nothing more, and waits for the runs under way. */
  close(): Promise<void>;
}

/**
 * The entry from the queue. A job says only that there may be work (invariant I7): whoever gets it claims one run
 * after another, in the order that fairness gives, until none is left.
 */
export function startProcessors({ queue, claim, execute, concurrency, log }: ProcessorParts): Processors {
  let stopping = false;
  const claimLoop = async (): Promise<void> => {
    while (!stopping) {
      const claimed = await claim();
      if (claimed === null) return;
      await execute(claimed);
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
