import { callFunction, type Database } from './database.js';

/** Who sends requests: a key or a member of a tenant. Both have a bucket. */
export interface Requester {
  readonly tenant: string;
  readonly actorId: string;
}

/** What was taken out of both buckets. */
export interface Grant {
  readonly granted: number;
  /** Where it is none: milliseconds until there is another. */
  readonly emptyForMs: number;
}

/** The token buckets that all processes of the API share (prisma/migrations/0011_rate_limits). */
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Takes up to `wanted` requests. @throws DatabaseError */
  async take({ tenant, actorId }: Requester, perSecond: number, wanted: number): Promise<Grant> {
    const given = { tenant, actor: actorId, perSecond, wanted };
    return JSON.parse(await callFunction<string>(this.database, 'take_requests', given)) as Grant;
  }
}
