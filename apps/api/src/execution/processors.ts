import type { Log } from '../platform/log.js';
import type { QueueAccess } from '../platform/wake.js';
import type { ClaimedRun, ClaimFrom } from './claim.repository.js';

export interface ProcessorParts {
  readonly queue: Pick<QueueAccess, 'openWorker'>;
  readonly claim: (from: ClaimFrom) => Promise<ClaimedRun | null>;
  /** Gives whether a run was left that nobody is woken for. */
  readonly execute: (claimed: ClaimedRun) => Promise<boolean>;
  /** How many runs are held at once; one more where it is a newcomer's. */
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

/** Beyond its concurrency a worker holds so many runs, of tenants that have nothing running. */
const HANDS_FOR_NEWCOMERS = 1;

/**
 * The entry from the queue. A job says only that there may be work (invariant I7): whoever gets it claims the run whose
 * turn it is by fairness, and goes on while there may be runs without a job of their own. While all hands are taken a
 * wake-up serves a tenant that has nothing running, or is remembered until a hand is free.
 */
export function startProcessors({ queue, claim, execute, concurrency, log }: ProcessorParts): Processors {
  let stopping = false;
  let taken = 0;
  let remembered = false;
  const turn = async (): Promise<boolean> => {
    const from = taken < concurrency ? 'everybody' : 'newcomers';
    taken += 1;
    try {
      const claimed = await claim(from);
      if (claimed !== null) return (await execute(claimed)) || claimed.waited > BACKLOG_MS;
      remembered ||= from === 'newcomers';
      return false;
    } finally {
      taken -= 1;
    }
  };
  const isRemembered = (): boolean => {
    const wanted = remembered && taken < concurrency;
    if (wanted) remembered = false;
    return wanted;
  };
  const worker = queue.openWorker(async () => {
    try {
      while (!stopping && ((await turn()) || isRemembered()));
    } catch (error) {
      log.error({ err: error }, 'runs could not be claimed: the sweeper wakes again');
    }
  }, concurrency + HANDS_FOR_NEWCOMERS);
  return {
    close: () => {
      stopping = true;
      return worker.close();
    },
  };
}
