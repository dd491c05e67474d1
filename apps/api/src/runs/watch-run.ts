import type { Delta, Hint, Relay } from '../platform/relay.js';

/** Without a hint Postgres is asked again after this long: hints may be lost. */
export const ASK_AGAIN_MS = 1_000;

/**
 * Waits for a run to move. Made before the first look at Postgres, so that nothing is missed between that look and the
 * first wait.
 */
export class RunWatch {
  private latestSeq = 0;
  private wake: (() => void) | null = null;
  private readonly unsubscribe: () => void;

  constructor(
    relay: Pick<Relay, 'subscribe'>,
    tenant: string,
    runId: string,
    onDelta: (delta: Delta) => void = () => undefined,
    concerns: (hint: Hint) => boolean = () => true,
  ) {
    const onHint = (hint: Hint): void => {
      if (!concerns(hint)) return;
      this.latestSeq = Math.max(this.latestSeq, hint.seq);
      this.wake?.();
    };
    this.unsubscribe = relay.subscribe(tenant, runId, { onHint, onDelta });
  }

  /** Resolves when the run has, or may have, events above `seq`; after `milliseconds` at the latest; at once when aborted. */
  async beyond(seq: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.latestSeq > seq || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done);
      this.wake = () => {
        if (this.latestSeq > seq) done();
      };
    });
  }

  close(): void {
    this.unsubscribe();
  }
}
