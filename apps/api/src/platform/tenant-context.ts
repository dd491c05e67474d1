import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Role, Scope } from '@countersign/contracts';
import type { KnownKey } from './key-cache.js';
import type { Membership, SignedIn } from './people.js';

/** Who acts, for which tenant, and what they may do. Every verb takes one; every repository method takes its tenant. */
export interface TenantScope {
  readonly tenant: string;
  readonly actor: { readonly type: 'key' | 'member'; readonly id: string };
  /** The member's as of now; null for a key. */
  readonly role: Role | null;
  readonly scopes: ReadonlySet<Scope>;
}

/** Who sends a request, whether or not they say for which tenant. */
export type Caller =
  | { readonly type: 'key'; readonly key: KnownKey }
  | { readonly type: 'member'; readonly signedIn: SignedIn; readonly membership: Membership | null };

/** What Express adds to Node's request. */
export interface HttpRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly originalUrl: string;
}

/** What Express adds to Node's response. `json` is ours: see reply.ts. */
export interface HttpResponse extends ServerResponse {
  json(body: unknown): void;
}

const scopes = new WeakMap<IncomingMessage, TenantScope>();
const callers = new WeakMap<IncomingMessage, Caller>();

/** Binds a request to who sent it and for which tenant; the guard does this once. */
export function bindScope(request: IncomingMessage, scope: TenantScope): void {
  scopes.set(request, scope);
}

/** Binds a request to who sent it; the guard does this once. */
export function bindCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

/**
 * The scope of an authenticated request.
 * @throws Error where the route is public or the operator's: a mistake of ours.
 */
export function scopeOf(request: IncomingMessage): TenantScope {
  const scope = scopes.get(request);
  if (scope === undefined) throw new Error('The route has no tenant');
  return scope;
}

/**
 * Who sent an authenticated request.
 * @throws Error where the route does not ask: a mistake of ours.
 */
export function callerOf(request: IncomingMessage): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('The route has no caller');
  return caller;
}

/** The tenant of a request, or null where it is the operator's. */
export function tenantOf(request: IncomingMessage): string | null {
  return scopes.get(request)?.tenant ?? null;
}
