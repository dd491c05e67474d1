import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Scope } from '@countersign/contracts';

/** Who acts, for which tenant, and what they may do. Every verb takes one; every repository method takes its tenant. */
export interface TenantScope {
  readonly tenant: string;
  readonly actor: { readonly type: 'key'; readonly id: string };
  readonly scopes: ReadonlySet<Scope>;
}

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

/** Binds a request to who sent it; the guard does this once. */
export function bindScope(request: IncomingMessage, scope: TenantScope): void {
  scopes.set(request, scope);
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

/** The tenant of a request, or null where it is the operator's. */
export function tenantOf(request: IncomingMessage): string | null {
  return scopes.get(request)?.tenant ?? null;
}
