import type { Log } from '../platform/log.js';
import { lookBeforeActing } from '../platform/stop-signal.js';

/** A run that this worker holds. */
export interface Lease {
  readonly tenant: string;
  readonly runId: string;
  readonly fence: string;
  /** Aborted when the lease is lost, or when the worker has no more time to finish what it holds. */
  readonly signal: AbortSignal;
}

type Held = Lease & {
  readonly abort: AbortController;
  readonly heldSince: number;
  renewedAt: number;
  yields: boolean;
};

/** Renews the leases of these runs; gives those that are still ours, by run id. */
export type RenewLeases = (
  runs: readonly Lease[],
) => Promise<ReadonlyMap<string, { readonly yield: boolean }>>;

/**
 * The leases of one worker. They are renewed together, three times in the life of one; one that cannot be renewed in
 * time is given up here before Postgres gives it to another worker (invariant I2).
 */
export class Leases {
  private readonly held = new Map<string, Held>();
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly renew: RenewLeases,
    private readonly leaseMs: number,
    private readonly log: Log,
  ) {}

  get size(): number {
    return this.held.size;
  }

  /** Keeps a claimed run's lease until `release`. */
  hold(run: { readonly tenant: string; readonly runId: string; readonly fence: string }): Lease {
    const abort = new AbortController();
    const heldSince = performance.now();
    const lease: Held = {
      ...run,
      abort,
      signal: abort.signal,
      heldSince,
      renewedAt: heldSince,
      yields: false,
    };
    this.held.set(run.runId, lease);
    lookBeforeActing(lease.signal, () => {
      if (performance.now() - lease.renewedAt >= this.leaseMs)
        this.giveUp(lease, 'a lease was not renewed in time');
    });
    this.schedule();
    return lease;
  }

  release(lease: Lease): void {
    if (this.held.get(lease.runId)?.fence === lease.fence) this.held.delete(lease.runId);
  }

  /** Those held for at least so many milliseconds. */
  heldFor(milliseconds: number): readonly Lease[] {
    const latest = performance.now() - milliseconds;
    return [...this.held.values()].filter((lease) => lease.heldSince <= latest);
  }

  /** True once others have waited longer than their share: the run is handed back at its next step boundary. */
  yields(lease: Lease): boolean {
    return this.held.get(lease.runId)?.yields ?? false;
  }

  /** Tells everything that is still under way to stop at once. */
  abortAll(): void {
    for (const { abort } of this.held.values()) abort.abort();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.timer !== null || this.stopped) return;
    this.timer = setTimeout(() => {
      this.beat().finally(() => {
        this.timer = null;
        if (this.held.size > 0) this.schedule();
      });
    }, this.leaseMs / 3);
  }

  private async beat(): Promise<void> {
    const runs = [...this.held.values()];
    const began = performance.now();
    try {
      const ours = await this.inTime(this.renew(runs));
      for (const lease of runs) {
        const renewed = ours.get(lease.runId);
        if (renewed === undefined) this.giveUp(lease, 'a lease is no longer ours');
        else Object.assign(lease, { renewedAt: began, yields: renewed.yield });
      }
    } catch (error) {
      this.log.warn({ err: error }, 'the leases could not be renewed');
      const deadline = performance.now() - this.leaseMs / 2;
      for (const lease of runs)
        if (lease.renewedAt < deadline) this.giveUp(lease, 'a lease could not be renewed in time');
    }
  }

  /** A database that hangs is as good as away: what is held must be given up before another worker may have it. */
  private async inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer in time')), this.leaseMs / 2);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private giveUp(lease: Held, message: string): void {
    if (this.held.get(lease.runId) !== lease) return;
    this.held.delete(lease.runId);
    this.log.warn({ tenant: lease.tenant, runId: lease.runId }, message);
    lease.abort.abort();
  }
}
