import type { IncomingMessage } from 'node:http';
import { invalidContent } from './problem.js';

/** One use of an idempotency key: by a tenant, on a route, with a body. The operator's routes have the tenant `operator`. */
export interface IdempotentRequest {
  readonly tenant: string;
  /** Method and path as the contract writes them. */
  readonly route: string;
  readonly key: string;
  readonly bodyDigest: string;
}

/** What is known of a key at the moment in which it is used. */
export type IdempotencyState =
  /** It is ours: perform the request, then complete or abandon it. */
  | { readonly type: 'first' }
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

/** An answer as a replay gives it: what is secret is null. */
export function withoutSecrets(body: unknown, secrets: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const nulls = secrets.filter((secret) => secret in body).map((secret) => [secret, null]);
  return nulls.length === 0 ? body : { ...body, ...Object.fromEntries(nulls) };
}
