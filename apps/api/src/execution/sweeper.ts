import type { Breakers } from '../governance/breakers/breakers.js';
import type { Log } from '../platform/log.js';
import type { QueueAccess } from '../platform/wake.js';
import type { SweepRepository } from './sweep.repository.js';

export interface SweeperParts {
  readonly sweeps: SweepRepository;
  readonly breakers: Pick<Breakers, 'refresh'>;
  /** Forgets up to so many circuit breakers that nobody has met for long. */
  readonly forgetBreakers: (limit: number) => Promise<unknown>;
  readonly queue: Pick<QueueAccess, 'wake' | 'relay'>;
  readonly log: Log;
}

const SWEEP_EVERY_MS = 1_000;
/** Runs put back in one pass, and wake-ups sent after it; the next pass takes the rest. */
const RUNS_AT_ONCE = 200;
const WAKE_UPS = 32;
const FORGOTTEN_AT_ONCE = 1_000;
/** Ended runs are counted into the metrics many at once; until then they are added up when somebody asks. */
const COUNTED_AT_ONCE = 500;
const COUNTED_AFTER_MS = 15_000;
const COUNTS = 20;

/**
 * Makes up for whatever the queue or a worker lost (invariant I7): runs whose worker is gone, timers that are due,
 * wake-ups that never arrived; and what others have learned of circuit breakers is read. Safe to run in every worker at once.
 */
export function startSweeper({ sweeps, breakers, forgetBreakers, queue, log }: SweeperParts): {
  stop(): Promise<void>;
} {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let pass: Promise<void> = Promise.resolve();
  // One that fails keeps no other from its turn.
  const chores: readonly (() => Promise<unknown>)[] = [
    () => breakers.refresh(),
    () => putBack({ sweeps, queue, log }),
    async () => {
      for (let wanted = await sweeps.countQueued(WAKE_UPS); wanted > 0; wanted -= 1) void queue.wake.runs();
    },
    () => countEnded(sweeps),
    () => sweeps.forgetIdempotencyKeys(FORGOTTEN_AT_ONCE),
    () => sweeps.forgetSessions(FORGOTTEN_AT_ONCE),
    () => sweeps.forgetRateLimits(FORGOTTEN_AT_ONCE),
    () => forgetBreakers(FORGOTTEN_AT_ONCE),
  ];
  const sweep = async (): Promise<void> => {
    for (const chore of chores) {
      await chore().catch((error: unknown) => log.warn({ err: error }, 'a part of a sweep failed'));
    }
    if (!stopped) schedule(SWEEP_EVERY_MS);
  };
  const schedule = (afterMs: number): void => {
    timer = setTimeout(() => {
      pass = sweep();
    }, afterMs);
  };
  // At once: where no other worker was there, runs may have waited for this one.
  schedule(0);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return pass;
    },
  };
}

async function putBack({
  sweeps,
  queue,
  log,
}: Pick<SweeperParts, 'sweeps' | 'queue' | 'log'>): Promise<void> {
  const { swept, passedOver } = await sweeps.sweep(RUNS_AT_ONCE);
  for (const run of swept) queue.relay.hint(run);
  for (const run of passedOver) log.error(run, 'a run could not be put back into the queue');
}

async function countEnded(sweeps: SweepRepository): Promise<void> {
  for (let count = 0; count < COUNTS; count += 1) {
    if ((await sweeps.countEndedRuns(COUNTED_AT_ONCE, COUNTED_AFTER_MS)) === 0) return;
  }
}
