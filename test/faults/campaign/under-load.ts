import { withServers } from '../../support/definitions.js';
import type { Stack } from '../../support/stack.js';
import { type LoadOutcome, startLoad } from '../load.js';

export interface UnderLoad extends Omit<LoadOutcome, 'stuck'> {
  readonly injected: number;
  readonly stuck: number;
}

export interface Limit {
  readonly untilMs: number;
  /** Injections, after which it is enough. */
  readonly times: number;
  /** Runs of one wave: enough that something is always under way, few enough that each fault meets many of them. */
  readonly runs?: number;
  /** The stack's workers stand still until all runs of a wave are queued. */
  readonly held?: boolean;
}

/** Injects faults (`inject` says how many) while waves of runs are under way, again and again until the time is up or it was done often enough. */
export async function underLoad(
  stack: Stack,
  { untilMs, times, runs = 24, held = false }: Limit,
  inject: () => Promise<number>,
): Promise<UnderLoad> {
  let sum: UnderLoad = { injected: 0, runs: 0, lost: 0, doubled: 0, givenUp: 0, stuck: 0 };
  const tell = (signal: 'SIGSTOP' | 'SIGCONT') => {
    if (held) for (const worker of stack.workers) worker.signal(signal);
  };
  do {
    await withServers(async (servers) => {
      tell('SIGSTOP');
      const load = await startLoad(stack, servers, runs, 'attended');
      tell('SIGCONT');
      let injected = 0;
      while (!(await load.ended()) && sum.injected + injected < times) {
        injected += await inject();
      }
      const wave = await load.outcome();
      for (const end of wave.stuck) process.stdout.write(`a run ended otherwise: ${end}\n`);
      sum = sumOf(sum, { ...wave, injected, stuck: wave.stuck.length });
    });
  } while (performance.now() < untilMs && sum.injected < times);
  return sum;
}

export function sumOf(one: UnderLoad, other: UnderLoad): UnderLoad {
  return {
    injected: one.injected + other.injected,
    runs: one.runs + other.runs,
    lost: one.lost + other.lost,
    doubled: one.doubled + other.doubled,
    givenUp: one.givenUp + other.givenUp,
    stuck: one.stuck + other.stuck,
  };
}
