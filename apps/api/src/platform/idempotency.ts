import type { IncomingMessage } from 'node:http';
import { type IdPrefix, newId } from './ids.js';
import { invalidContent } from './problem.js';

/** One use of an idempotency key: by a tenant, on a route, with a body. The operator's routes have the tenant `operator`. */
export interface IdempotentRequest {
  readonly tenant: string;
  /** Method and path as the contract writes them. */
  readonly route: string;
  readonly key: string;
  readonly bodyDigest: string;
}

/**
 * The id of what the request creates, chosen before it is created: whoever takes over a request whose process died
 * gets the same one, and can look whether it was created after all.
 */
interface ReservedId {
  /** An id without its prefix. */
  readonly reserved: string;
  /** True where an earlier process may have created it. */
  readonly resumed: boolean;
}

/** What is known of a key at the moment in which it is used. */
export type IdempotencyState =
  /** It is ours: perform the request, then complete or abandon it. */
  | ({ readonly type: 'first' } & ReservedId)
  | { readonly type: 'done'; readonly status: number; readonly response: string }
  | { readonly type: 'other_body' }
  | { readonly type: 'in_progress' };

/** Where uses of idempotency keys are kept for 24 hours. */
export interface IdempotencyStore {
  begin(request: IdempotentRequest): Promise<IdempotencyState>;
  complete(request: IdempotentRequest, status: number, response: string): Promise<void>;
  /** Records nothing of a refused create: the key is free again. */
  abandon(request: IdempotentRequest): Promise<void>;
}

/** The request's Idempotency-Key, or null. @throws Problem invalid_content for anything but 1 to 255 visible characters. */
export function idempotencyKeyOf(request: IncomingMessage): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidContent({ path: 'Idempotency-Key', message: 'takes 1 to 255 visible characters' });
}

const reservations = new WeakMap<IncomingMessage, ReservedId>();

/** Binds what was reserved to the request that creates it. */
export function bindReservation(request: IncomingMessage, reservation: ReservedId): void {
  reservations.set(request, reservation);
}

/** The id of what a request creates. `mayExist`: look for it first, the request may have been performed before. */
export interface CreatedId {
  readonly id: string;
  readonly mayExist: boolean;
}

/** The id that was reserved for a request, or a new one where it has no Idempotency-Key. */
export function createdIdOf(request: IncomingMessage, prefix: IdPrefix): CreatedId {
  const reservation = reservations.get(request);
  if (reservation === undefined) return { id: newId(prefix), mayExist: false };
  return { id: `${prefix}_${reservation.reserved}`, mayExist: reservation.resumed };
}

/** An answer as a replay gives it: what is secret is null. */
export function withoutSecrets(body: unknown, secrets: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const nulls = secrets.filter((secret) => secret in body).map((secret) => [secret, null]);
  return nulls.length === 0 ? body : { ...body, ...Object.fromEntries(nulls) };
}
