import type { Hint, Relay } from '../platform/relay.js';
import { standsStill } from './mapper.js';
import type { RunRow } from './run.repository.js';
import { ASK_AGAIN_MS, RunWatch } from './watch-run.js';

export interface WaitDependencies {
  readonly relay: Pick<Relay, 'subscribe'>;
  readonly find: (tenant: string, runId: string) => Promise<RunRow | null>;
}

/**
 * The run once it has ended or waits on people or the app, or as it stands after `seconds`, or when `signal` is
 * aborted. Null where there is none.
 */
export async function waitForRun(
  { relay, find }: WaitDependencies,
  tenant: string,
  runId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<RunRow | null> {
  const giveUpAt = performance.now() + seconds * 1_000;
  const watch = new RunWatch(relay, tenant, runId, undefined, mayStandStill);
  try {
    for (;;) {
      const run = await find(tenant, runId);
      const left = giveUpAt - performance.now();
      if (run === null || standsStill(run) || left <= 0 || signal.aborted) return run;
      await watch.beyond(run.seq, Math.min(left, ASK_AGAIN_MS), signal);
    }
  } finally {
    watch.close();
  }
}

/** A long run moves hundreds of times before it stands still: none of that is worth a look at Postgres. */
function mayStandStill({ status }: Hint): boolean {
  return status !== 'queued' && status !== 'running';
}
