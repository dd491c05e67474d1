import { Prisma, type PrismaClient } from '../platform/generated/client.js';
import { callFunction } from '../platform/transaction.js';

/** A run that was put back into the queue. */
export interface SweptRun {
  readonly tenant: string;
  readonly runId: string;
  readonly seq: number;
  readonly status: 'queued';
}

/** Puts right what no worker will (invariant I7): expired leases, and waits whose time has come. */
export class SweepRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Queues up to `limit` runs again. Any number of workers may sweep at once: each run is swept by one of them.
   * @throws DatabaseError
   */
  async sweep(limit: number): Promise<readonly SweptRun[]> {
    const swept: SweptRun[] = [];
    while (swept.length < limit) {
      const text = await callFunction<string | null>(this.prisma, Prisma.sql`SELECT sweep_one() AS result`);
      if (text === null) break;
      swept.push(JSON.parse(text) as SweptRun);
    }
    return swept;
  }

  /** Runs of all tenants that wait for a worker; counting stops at `limit`. @throws DatabaseError */
  countQueued(limit: number): Promise<number> {
    return callFunction<number>(this.prisma, Prisma.sql`SELECT count_queued(${limit}::int) AS result`);
  }

  /** Forgets idempotency keys that are older than 24 hours, a bounded number at once. @throws DatabaseError */
  forgetIdempotencyKeys(limit: number): Promise<number> {
    return callFunction<number>(
      this.prisma,
      Prisma.sql`SELECT forget_idempotency_keys(${limit}::int) AS result`,
    );
  }
}
