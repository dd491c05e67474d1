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

/** What is asked of a worker whose hands are all taken. */
export interface HandsAsked {
  /** Tenants that wait with nothing running: each needs one hand. */
  readonly hands: number;
  /** The runs that may be handed back for them, by id. */
  readonly runs: readonly string[];
}

/** What a worker that holds runs asks: whether they are still its own, and whether others need its hands. */
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

  /** Which of these runs stand in the way of tenants that have nothing running; null where none does. @throws DatabaseError */
  async handsAsked(leases: readonly HeldLease[]): Promise<HandsAsked | null> {
    const held = leases.map(({ tenant, runId }) => ({ tenant, runId }));
    const text = await callFunction<string | null>(this.database, 'hands_asked_for', {
      leases: JSON.stringify(held),
    });
    return text === null ? null : (JSON.parse(text) as HandsAsked);
  }
}
