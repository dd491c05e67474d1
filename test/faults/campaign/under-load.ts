import { withServers } from '../../support/definitions.js';
import type { Stack } from '../../support/stack.js';
import { type LoadOutcome, startLoad } from '../load.js';

/** Runs of one wave: enough that something is always under way, few enough that each fault meets many of them. */
const RUNS = 24;

export interface UnderLoad extends Omit<LoadOutcome, 'stuck'> {
  readonly injected: number;
  readonly stuck: number;
}

/** Injects faults (`inject` says how many) while waves of runs are under way, again and again until the time is up or it was done often enough. */
export async function underLoad(
  stack: Stack,
  limit: { readonly untilMs: number; readonly times: number },
  inject: () => Promise<number>,
): Promise<UnderLoad> {
  let sum: UnderLoad = { injected: 0, runs: 0, lost: 0, doubled: 0, givenUp: 0, stuck: 0 };
  do {
    await withServers(async (servers) => {
      const load = await startLoad(stack, servers, RUNS);
      let injected = 0;
      while (!(await load.ended()) && sum.injected + injected < limit.times) {
        injected += await inject();
      }
      const wave = await load.outcome();
      for (const end of wave.stuck) process.stdout.write(`a run ended otherwise: ${end}\n`);
      sum = {
        injected: sum.injected + injected,
        runs: sum.runs + wave.runs,
        lost: sum.lost + wave.lost,
        doubled: sum.doubled + wave.doubled,
        givenUp: sum.givenUp + wave.givenUp,
        stuck: sum.stuck + wave.stuck.length,
      };
    });
  } while (performance.now() < limit.untilMs && sum.injected < limit.times);
  return sum;
}
