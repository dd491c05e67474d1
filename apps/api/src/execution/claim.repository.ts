import type { StoredEvent } from '@countersign/agent-core';
import { callFunction, type Database } from '../platform/database.js';
import { type EventJson, storedEvents } from '../runs/ledger.repository.js';

/** A run that a worker may work on until its lease ends: `fence` tells its holder from every earlier one. */
export interface ClaimedRun {
  readonly tenant: string;
  readonly runId: string;
  readonly fence: string;
  /** Postgres's time, in milliseconds. */
  readonly now: number;
  readonly agent: { readonly name: string; readonly version: number };
  /** How long it was queued, in milliseconds. */
  readonly waited: number;
  /** All of them, the claim's own run.started or run.resumed included. */
  readonly events: readonly StoredEvent[];
}

/** Of whom a run may be: `newcomers` are the tenants that have nothing running. */
export type ClaimFrom = 'everybody' | 'newcomers';

/** Where all tenants with work are being claimed from by others, it is worth asking again so often. */
const ASKS = 20;

/** Takes runs from the queue that the runs table is, in the order that fairness gives (claim_run). */
export class ClaimRepository {
  constructor(
    private readonly database: Database,
    private readonly leaseMs: number,
  ) {}

  /**
   * Claims the oldest queued run of the tenant that has waited its fair share the longest; null where no tenant has
   * work and room. `worker` must be unique to this process, with a random part (invariant I2).
   * @throws DatabaseError
   */
  async claim(worker: string, from: ClaimFrom = 'everybody'): Promise<ClaimedRun | null> {
    for (let ask = 0; ask < ASKS; ask += 1) {
      const text = await callFunction<string | null>(this.database, 'claim_run', {
        worker,
        leaseMs: this.leaseMs,
        newcomers: from === 'newcomers',
      });
      if (text === null) return null;
      const answer = JSON.parse(text) as { again: true } | ClaimJson;
      if (!('again' in answer)) {
        return { ...answer, fence: String(answer.fence), events: storedEvents(answer.events) };
      }
    }
    return null;
  }
}

type ClaimJson = Omit<ClaimedRun, 'fence' | 'events'> & {
  readonly fence: number;
  readonly events: readonly EventJson[];
};
