import { callFunction, type Database } from '../platform/database.js';

/** A run that was put back into the queue. */
export interface SweptRun {
  readonly tenant: string;
  readonly runId: string;
  readonly seq: number;
  readonly status: 'queued';
}

/** Puts right what no worker will (invariant I7): expired leases, and waits whose time has come. */
export class SweepRepository {
  constructor(private readonly database: Database) {}

  /**
   * Queues up to `limit` runs again. Any number of workers may sweep at once: each run is swept by one of them.
   * @throws DatabaseError
   */
  async sweep(limit: number): Promise<readonly SweptRun[]> {
    const swept: SweptRun[] = [];
    while (swept.length < limit) {
      const text = await callFunction<string | null>(this.database, 'sweep_one');
      if (text === null) break;
      swept.push(JSON.parse(text) as SweptRun);
    }
    return swept;
  }

  /** Runs of all tenants that wait for a worker; counting stops at `limit`. @throws DatabaseError */
  countQueued(limit: number): Promise<number> {
    return callFunction<number>(this.database, 'count_queued', { limit });
  }

  /** Forgets idempotency keys that are older than 24 hours, a bounded number at once. @throws DatabaseError */
  forgetIdempotencyKeys(limit: number): Promise<number> {
    return callFunction<number>(this.database, 'forget_idempotency_keys', { limit });
  }

  /** Forgets sessions that have expired, a bounded number at once. @throws DatabaseError */
  forgetSessions(limit: number): Promise<number> {
    return callFunction<number>(this.database, 'forget_sessions', { limit });
  }
}
