import type { PrismaClient } from './generated/client.js';
import type { IdempotencyState, IdempotencyStore, IdempotentRequest } from './idempotency.js';
import { newId } from './ids.js';
import { tenantRead } from './transaction.js';

interface Known {
  readonly state: 'in_progress' | 'done';
  readonly requestDigest: string;
  readonly status: number | null;
  readonly response: string | null;
}

/**
 * Uses of idempotency keys in Postgres: one round trip to begin, one to complete. A use that neither completed nor was
 * abandoned (its process was killed) frees its key after a minute; any use does after 24 hours. Until it is done,
 * `response` holds the reserved id.
 */
export class IdempotencyRepository implements IdempotencyStore {
  constructor(private readonly prisma: PrismaClient) {}

  /** @throws DatabaseError */
  async begin(request: IdempotentRequest): Promise<IdempotencyState> {
    const { tenant, route, key, bodyDigest } = request;
    const reserved = newId('req').slice('req_'.length);
    const take = this.prisma.$queryRaw<readonly { reserved: string }[]>`
      INSERT INTO idempotency_requests AS known (tenant_id, route, key, request_digest, state, response, created_at)
      VALUES (${tenant}, ${route}, ${key}, ${bodyDigest}, 'in_progress', ${reserved}, clock_timestamp())
      ON CONFLICT (tenant_id, route, key) DO UPDATE
      SET request_digest = excluded.request_digest, state = 'in_progress', status = NULL,
        response = CASE WHEN known.state = 'in_progress' AND known.request_digest = excluded.request_digest
          THEN known.response ELSE excluded.response END,
        created_at = excluded.created_at
      WHERE known.created_at < clock_timestamp() - CASE known.state
        WHEN 'done' THEN interval '24 hours' ELSE interval '1 minute' END
      RETURNING response AS reserved`;
    const [taken] = await tenantRead(this.prisma, tenant, take);
    if (taken === undefined) return stateOf(await this.find(request), bodyDigest);
    return { type: 'first', reserved: taken.reserved, resumed: taken.reserved !== reserved };
  }

  /** @throws DatabaseError */
  async complete({ tenant, ...use }: IdempotentRequest, status: number, response: string): Promise<void> {
    const data = { state: 'done', status, response };
    await tenantRead(
      this.prisma,
      tenant,
      this.prisma.idempotencyRequest.updateMany({ where: underWay(tenant, use), data }),
    );
  }

  /** @throws DatabaseError */
  async abandon({ tenant, ...use }: IdempotentRequest): Promise<void> {
    await tenantRead(
      this.prisma,
      tenant,
      this.prisma.idempotencyRequest.deleteMany({ where: underWay(tenant, use) }),
    );
  }

  private async find({ tenant, route, key }: IdempotentRequest): Promise<Known | null> {
    const known = this.prisma.idempotencyRequest.findUnique({
      where: { tenantId_route_key: { tenantId: tenant, route, key } },
      select: { state: true, requestDigest: true, status: true, response: true },
    });
    return (await tenantRead(this.prisma, tenant, known)) as Known | null;
  }
}

function underWay(tenantId: string, { route, key, bodyDigest }: Omit<IdempotentRequest, 'tenant'>) {
  return { tenantId, route, key, requestDigest: bodyDigest, state: 'in_progress' };
}

function stateOf(known: Known | null, bodyDigest: string): IdempotencyState {
  // Abandoned between our two looks: whoever asks again will be the first.
  if (known === null) return { type: 'in_progress' };
  if (known.requestDigest !== bodyDigest) return { type: 'other_body' };
  return known.state === 'done' && known.status !== null && known.response !== null
    ? { type: 'done', status: known.status, response: known.response }
    : { type: 'in_progress' };
}
