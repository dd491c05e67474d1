import type { ApiKey, KeyCreate, Scope } from '@countersign/contracts';
import { newId } from '../platform/ids.js';
import type { KeyCache } from '../platform/key-cache.js';
import { invalidContent, notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import type { KeyRepository } from './key.repository.js';
import { newApiKey } from './new-api-key.js';

export interface KeyDependencies {
  readonly keys: Pick<KeyRepository, 'create' | 'find' | 'replace' | 'revoke'>;
  readonly cache: Pick<KeyCache, 'forget'>;
}

type IssuedKey = ApiKey & { readonly apiKey: string };

/** Makes a key with at most the caller's scopes. @throws Problem scope_not_held, invalid_content. */
export async function createKey(
  { keys }: KeyDependencies,
  { tenant, scopes }: TenantScope,
  { name, scopes: wanted, expiresAt }: KeyCreate,
): Promise<IssuedKey> {
  refuseMore(scopes, wanted);
  const expiry = expiresAt === undefined ? null : new Date(expiresAt);
  if (expiry !== null && expiry.getTime() <= Date.now()) {
    throw invalidContent({ path: '/expiresAt', message: 'is in the past' });
  }
  const { text, hash, prefix } = newApiKey();
  const row = {
    id: newId('key'),
    name,
    keyHash: hash,
    prefix,
    scopes: [...new Set(wanted)],
    expiresAt: expiry,
  };
  return { ...(await keys.create(tenant, row)), apiKey: text };
}

/**
 * Gives a key another text; the former one ends at once.
 * @throws Problem not_found, or scope_not_held: who rotates a key holds it afterwards.
 */
export async function rotateKey(
  { keys, cache }: KeyDependencies,
  { tenant, scopes }: TenantScope,
  id: string,
): Promise<IssuedKey> {
  const key = await keys.find(tenant, id);
  if (key === null) throw notFound('key');
  refuseMore(scopes, key.scopes);
  const { text, hash, prefix } = newApiKey();
  if (!(await keys.replace(tenant, id, { keyHash: hash, prefix }))) throw notFound('key');
  cache.forget(tenant);
  return { ...key, prefix, apiKey: text };
}

/** Ends a key at once. @throws Problem not_found. */
export async function revokeKey(
  { keys, cache }: KeyDependencies,
  { tenant }: TenantScope,
  id: string,
): Promise<void> {
  if (!(await keys.revoke(tenant, id))) throw notFound('key');
  cache.forget(tenant);
}

function refuseMore(held: ReadonlySet<Scope>, wanted: readonly Scope[]): void {
  const beyond = wanted.flatMap((scope, index) =>
    held.has(scope) ? [] : [{ path: `/scopes/${index}`, message: `the calling key lacks ${scope}` }],
  );
  if (beyond.length > 0) {
    throw new Problem('scope_not_held', 'A key gives no scope that it lacks.', { errors: beyond });
  }
}
