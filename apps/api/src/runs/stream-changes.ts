import type { Writable } from 'node:stream';
import { type Hint, keepNewest, type Relay } from '../platform/relay.js';
import { catchUp } from './slow-reader.js';
import { hintFrame, KEEP_ALIVE, KEEP_ALIVE_MS } from './sse.js';

export interface StreamChangesDependencies {
  readonly relay: Pick<Relay, 'subscribeTenant' | 'ready'>;
}

/** How long the beginning waits for the relay: without it the stream is open all the same, and its reader asks again. */
const READY_MS = 1_000;

/** The newest hint of so many runs waits for a slow reader; beyond them the oldest is dropped. */
const HINTS_KEPT = 10_000;

/**
 * Writes a hint to `out` whenever a run of the tenant moves; of several about one run, a slow reader gets the newest.
 * `open` is called once hints are heard. Returns when `signal` was aborted, or the reader was too slow and was dropped.
 */
export async function streamChanges(
  { relay }: StreamChangesDependencies,
  tenant: string,
  out: Writable,
  open: () => void,
  signal: AbortSignal,
): Promise<void> {
  const news = new News();
  const unsubscribe = relay.subscribeTenant(tenant, (hint) => news.add(hint));
  const stop = (): void => news.wake();
  signal.addEventListener('abort', stop);
  let keepAlive: NodeJS.Timeout | undefined;
  try {
    await within(READY_MS, relay.ready());
    open();
    keepAlive = setInterval(() => {
      out.write(KEEP_ALIVE);
      // Where the relay could not be reached, it is tried again.
      void relay.ready();
    }, KEEP_ALIVE_MS);
    while (!signal.aborted) {
      for (const hint of news.take()) out.write(hintFrame(hint));
      if (!(await catchUp(out, signal))) return;
      await news.arrived(signal);
    }
  } finally {
    clearInterval(keepAlive);
    signal.removeEventListener('abort', stop);
    unsubscribe();
  }
}

/** Hints that were not written yet, by run. */
class News {
  private hints = new Map<string, Hint>();
  private resolve: (() => void) | null = null;

  add(hint: Hint): void {
    keepNewest(this.hints, hint.runId, hint, HINTS_KEPT);
    this.wake();
  }

  take(): Iterable<Hint> {
    const hints = this.hints;
    this.hints = new Map();
    return hints.values();
  }

  wake(): void {
    this.resolve?.();
    this.resolve = null;
  }

  /** Resolves when there is something to take, or `wake` was called. */
  async arrived(signal: AbortSignal): Promise<void> {
    if (this.hints.size > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.resolve = resolve;
    });
  }
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
