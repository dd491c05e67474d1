import { NotReady, type ReadinessCheck } from '../platform/health.js';

export interface LivenessParts {
  /** Work that waits for less than this, in milliseconds, says nothing yet. */
  readonly patienceMs: number;
  /** How long claimable work has waited, in milliseconds. */
  readonly claimableWait: () => Promise<number>;
  /** True where every hand of this worker holds a run: whoever works need not claim. */
  readonly busy: () => boolean;
}

/**
 * Liveness is progress: a worker that claims nothing while work waits is not ready, whatever else it answers. It is
 * told of every claim by wrapping what claims.
 */
export class Liveness {
  private claimedAt = performance.now();
  private trouble: string | null = null;

  constructor(private readonly parts: LivenessParts) {}

  /** Claims as `claim` does, and remembers how it went. */
  async claiming<Run>(claim: () => Promise<Run | null>): Promise<Run | null> {
    try {
      const run = await claim();
      if (run !== null) this.claimedAt = performance.now();
      this.trouble = null;
      return run;
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : 'for a reason unknown';
      throw error;
    }
  }

  check(): ReadinessCheck {
    return { name: 'claims', probe: () => this.probe() };
  }

  private async probe(): Promise<void> {
    const { patienceMs, claimableWait, busy } = this.parts;
    if (busy() || performance.now() - this.claimedAt < patienceMs) return;
    const waitedMs = await claimableWait();
    if (waitedMs < patienceMs) return;
    const why = this.trouble === null ? 'no wake-up leads to a claim' : `claiming fails: ${this.trouble}`;
    throw new NotReady(`work has waited for ${Math.floor(waitedMs / 1000)} s and none is claimed: ${why}`);
  }
}
