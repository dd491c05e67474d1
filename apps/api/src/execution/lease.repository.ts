import { callFunction, type Database } from '../platform/database.js';

/** A lease as its worker knows it. */
export interface HeldLease {
  readonly tenant: string;
  readonly runId: string;
  readonly fence: string;
}

export interface RenewedLease {
  readonly runId: string;
  /** True: others have waited longer than their share; give the run back at its next step boundary. */
  readonly yield: boolean;
}

/** The heartbeat of a worker. */
export class LeaseRepository {
  constructor(
    private readonly database: Database,
    private readonly leaseMs: number,
  ) {}

  /**
   * Renews these leases and gives those that are still the worker's, by run id. What is missing is lost: stop, touch
   * nothing (invariant I2).
   * @throws DatabaseError
   */
  async renew(worker: string, leases: readonly HeldLease[]): Promise<ReadonlyMap<string, RenewedLease>> {
    if (leases.length === 0) return new Map();
    // A fence is a bigint that a double holds: it goes as a JSON number.
    const held = leases.map(({ tenant, runId, fence }) => ({ tenant, runId, fence: Number(fence) }));
    const text = await callFunction<string>(this.database, 'renew_leases', {
      worker,
      leaseMs: this.leaseMs,
      leases: JSON.stringify(held),
    });
    const kept = JSON.parse(text) as RenewedLease[];
    return new Map(kept.map((lease) => [lease.runId, lease]));
  }
}
