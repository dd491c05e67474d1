import { type ApiKey, type Scope, scope } from '@countersign/contracts';
import { callFunction, type Database } from '../platform/database.js';
import type { KnownKey } from '../platform/key-cache.js';
import type { PageRequest } from '../platform/page.js';
import { raiseRevision } from '../platform/raise-revision.js';
import type { Transact } from '../platform/transaction.js';

/** A key as it is stored: its text is not. */
export interface NewKeyRow {
  readonly id: string;
  readonly name: string;
  readonly keyHash: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

interface FoundKey extends Omit<KnownKey, 'expiresAt'> {
  readonly expiresAt: number | null;
}

/**
 * The keys of tenants. A key that was deleted keeps its row, so that what it did can still be told. That keys come and go
 * raises the tenant's revision: a grant that rests on one is judged again before its call runs (invariant I6).
 */
export class KeyRepository {
  constructor(
    private readonly database: Database,
    private readonly transact: Transact,
  ) {}

  /** Whose key this is, by its digest: a look-up that crosses tenants. Null for none, deleted or expired. */
  async findByDigest(digest: string): Promise<KnownKey | null> {
    const text = await callFunction<string | null>(this.database, 'find_api_key', { hash: digest });
    if (text === null) return null;
    const found = JSON.parse(text) as FoundKey;
    return { ...found, expiresAt: found.expiresAt === null ? null : new Date(found.expiresAt) };
  }

  create(tenant: string, key: NewKeyRow): Promise<ApiKey> {
    return this.transact(tenant, async (tx) => {
      await raiseRevision(tx, tenant);
      return keyOf(await tx.apiKey.create({ data: { ...key, scopes: [...key.scopes], tenantId: tenant } }));
    });
  }

  /** Newest first; the position is the key's id. */
  list(tenant: string, { after, rows }: PageRequest): Promise<readonly ApiKey[]> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.apiKey.findMany({
        where: { tenantId: tenant, revokedAt: null, ...(after === null ? {} : { id: { lt: after } }) },
        orderBy: { id: 'desc' },
        take: rows,
      });
      return found.map(keyOf);
    });
  }

  /** Null where there is no such key. */
  find(tenant: string, id: string): Promise<ApiKey | null> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.apiKey.findFirst({ where: { tenantId: tenant, id, revokedAt: null } });
      return found === null ? null : keyOf(found);
    });
  }

  /** Gives a key another text; the former one ends at once. False where there is no such key. */
  replace(
    tenant: string,
    id: string,
    text: { readonly keyHash: string; readonly prefix: string },
  ): Promise<boolean> {
    return this.transact(tenant, async (tx) => {
      const replaced = await tx.apiKey.updateMany({
        where: { tenantId: tenant, id, revokedAt: null },
        data: text,
      });
      return replaced.count === 1;
    });
  }

  /** False where there is no such key. */
  revoke(tenant: string, id: string): Promise<boolean> {
    return this.transact(tenant, async (tx) => {
      await raiseRevision(tx, tenant);
      const revoked = await tx.apiKey.updateMany({
        where: { tenantId: tenant, id, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      return revoked.count === 1;
    });
  }
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

function keyOf({ id, name, prefix, scopes, expiresAt, createdAt }: KeyRow): ApiKey {
  return {
    id,
    name,
    prefix,
    scopes: scopes.map((each) => scope.parse(each)),
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
