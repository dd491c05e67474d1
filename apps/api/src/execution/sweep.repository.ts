import { callLongFunction, type Database } from '../platform/database.js';

/** A run that was put back into the queue. */
export interface SweptRun {
  readonly tenant: string;
  readonly runId: string;
  readonly seq: number;
  readonly status: 'queued';
}

/** A run that could not be put right, and why: in words of Postgres, for the log. */
export interface PassedOverRun {
  readonly tenant: string;
  readonly runId: string;
  readonly why: string;
}

export interface Sweep {
  readonly swept: readonly SweptRun[];
  readonly passedOver: readonly PassedOverRun[];
}

type SweptJson = SweptRun & { readonly passedOver: string | null };

/** Puts right what no worker will (invariant I7): expired leases, and waits whose time has come. */
export class SweepRepository {
  constructor(private readonly database: Database) {}

  /**
   * Queues up to `limit` runs again. Any number of workers may sweep at once: each run is swept by one of them. A run
   * that cannot be put right is passed over until the next pass: it stops no other.
   * @throws DatabaseError
   */
  async sweep(limit: number): Promise<Sweep> {
    const swept: SweptRun[] = [];
    const passedOver: PassedOverRun[] = [];
    while (swept.length < limit) {
      const text = await callLongFunction<string | null>(this.database, 'sweep_one', {
        passedOver: passedOver.map((run) => run.runId),
      });
      if (text === null) break;
      const { passedOver: why, tenant, runId, seq, status } = JSON.parse(text) as SweptJson;
      if (why === null) swept.push({ tenant, runId, seq, status });
      else passedOver.push({ tenant, runId, why });
    }
    return { swept, passedOver };
  }

  /** Runs of all tenants that wait for a worker; counting stops at `limit`. @throws DatabaseError */
  countQueued(limit: number): Promise<number> {
    return callLongFunction<number>(this.database, 'count_queued', { limit });
  }

  /** How long, in milliseconds, the run has waited that waits longest of those that could be claimed now. @throws DatabaseError */
  async claimableWait(): Promise<number> {
    return Number(await callLongFunction<string>(this.database, 'claimable_wait'));
  }

  /**
   * Counts up to `limit` runs of one tenant, the first of which ended at least `patienceMs` ago, into its metrics.
   * @returns how many. @throws DatabaseError
   */
  countEndedRuns(limit: number, patienceMs: number): Promise<number> {
    return callLongFunction<number>(this.database, 'count_ended_runs', { limit, patienceMs });
  }

  /** Forgets idempotency keys that are older than 24 hours, a bounded number at once. @throws DatabaseError */
  forgetIdempotencyKeys(limit: number): Promise<number> {
    return callLongFunction<number>(this.database, 'forget_idempotency_keys', { limit });
  }

  /** Forgets buckets of rate limits that are full again, a bounded number at once. @throws DatabaseError */
  forgetRateLimits(limit: number): Promise<number> {
    return callLongFunction<number>(this.database, 'forget_rate_limits', { limit });
  }

  /** Forgets sessions that have expired, a bounded number at once. @throws DatabaseError */
  forgetSessions(limit: number): Promise<number> {
    return callLongFunction<number>(this.database, 'forget_sessions', { limit });
  }
}
