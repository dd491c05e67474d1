import { callFunction, type Database } from './database.js';
import type { IdempotencyState, IdempotencyStore, IdempotentRequest } from './idempotency.js';
import { newId } from './ids.js';

/** As begin_idempotent in prisma/migrations gives it. */
type Answer = { readonly taken: true; readonly reserved: string } | ({ readonly taken: false } & Known);

interface Known {
  readonly state: 'in_progress' | 'done';
  readonly requestDigest: string;
  readonly status?: number | null;
  readonly response?: string | null;
}

/**
 * Uses of idempotency keys in Postgres: one round trip to begin, one to complete. A use that neither completed nor was
 * abandoned (its process was killed) frees its key after a minute; any use does after 24 hours.
 */
export class IdempotencyRepository implements IdempotencyStore {
  constructor(private readonly database: Database) {}

  /** @throws DatabaseError */
  async begin(request: IdempotentRequest): Promise<IdempotencyState> {
    const reserved = newId('req').slice('req_'.length);
    const text = await callFunction<string>(this.database, 'begin_idempotent', {
      ...namesOf(request),
      reserved,
    });
    const answer = JSON.parse(text) as Answer;
    return answer.taken
      ? { type: 'first', reserved: answer.reserved, resumed: answer.reserved !== reserved }
      : stateOf(answer, request.bodyDigest);
  }

  /** @throws DatabaseError */
  complete(request: IdempotentRequest, status: number, response: string): Promise<void> {
    return this.end(request, status, response);
  }

  /** @throws DatabaseError */
  abandon(request: IdempotentRequest): Promise<void> {
    return this.end(request, null, null);
  }

  private async end(
    request: IdempotentRequest,
    status: number | null,
    response: string | null,
  ): Promise<void> {
    await callFunction<string>(this.database, 'end_idempotent', { ...namesOf(request), status, response });
  }
}

function namesOf({ tenant, route, key, bodyDigest }: IdempotentRequest) {
  return { tenant, route, key, requestDigest: bodyDigest };
}

function stateOf(known: Known, bodyDigest: string): IdempotencyState {
  if (known.requestDigest !== bodyDigest) return { type: 'other_body' };
  const { state, status, response } = known;
  return state === 'done' && typeof status === 'number' && typeof response === 'string'
    ? { type: 'done', status, response }
    : { type: 'in_progress' };
}
