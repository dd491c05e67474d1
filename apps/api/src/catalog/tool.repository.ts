import type { ToolDefinition } from '@countersign/agent-core';
import type { PageRequest } from '../platform/page.js';
import { raiseRevision } from '../platform/raise-revision.js';
import type { Transact, TransactionClient } from '../platform/transaction.js';

/** A tool at its current version. */
export interface StoredTool {
  readonly id: string;
  readonly definition: ToolDefinition;
  readonly headersSealed: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One version as it is written: what it says, and its own headers, sealed. */
export interface NewToolVersion {
  readonly definition: ToolDefinition;
  readonly headersSealed: string | null;
}

/** Makes the version with the number that it is told. */
type MakeVersion = (version: number) => NewToolVersion;

interface ToolRow {
  readonly id: string;
  readonly name: string;
  readonly currentVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Tools and their immutable versions. A deleted tool keeps its row: its name may come back, with a higher version. */
export class ToolRepository {
  constructor(private readonly transact: Transact) {}

  /** Registers a tool, or one that was deleted anew. Null where the name is taken. */
  create(
    tenant: string,
    tool: { readonly id: string; readonly name: string; readonly signingSecretSealed: string },
    make: MakeVersion,
  ): Promise<StoredTool | null> {
    return this.transact(tenant, async (tx) => {
      const { name, signingSecretSealed } = tool;
      const now = new Date();
      const revived = await tx.tool.updateMany({
        where: { tenantId: tenant, name, deletedAt: { not: null } },
        data: { currentVersion: { increment: 1 }, deletedAt: null, signingSecretSealed, updatedAt: now },
      });
      if (revived.count === 1) {
        await raiseRevision(tx, tenant);
        return writeVersion(tx, tenant, name, make);
      }
      const created = await tx.tool.createMany({
        data: [{ ...tool, tenantId: tenant, currentVersion: 1 }],
        skipDuplicates: true,
      });
      return created.count === 1 ? writeVersion(tx, tenant, name, make) : null;
    });
  }

  /** Writes the next version. Null where there is no such tool. */
  addVersion(tenant: string, name: string, make: MakeVersion): Promise<StoredTool | null> {
    return this.transact(tenant, async (tx) => {
      const moved = await tx.tool.updateMany({
        where: { tenantId: tenant, name, deletedAt: null },
        data: { currentVersion: { increment: 1 }, updatedAt: new Date() },
      });
      return moved.count === 1 ? writeVersion(tx, tenant, name, make) : null;
    });
  }

  /** Withdraws a tool and raises the tenant's revision, so that no step decided before is committed. False: no such tool. */
  delete(tenant: string, name: string): Promise<boolean> {
    return this.transact(tenant, async (tx) => {
      const deleted = await tx.tool.updateMany({
        where: { tenantId: tenant, name, deletedAt: null },
        data: { deletedAt: new Date() },
      });
      if (deleted.count === 0) return false;
      await raiseRevision(tx, tenant);
      await wakeRunsAsking(tx, tenant, name);
      return true;
    });
  }

  /** False where there is no such tool. */
  replaceSigningSecret(tenant: string, name: string, signingSecretSealed: string): Promise<boolean> {
    return this.transact(tenant, async (tx) => {
      const replaced = await tx.tool.updateMany({
        where: { tenantId: tenant, name, deletedAt: null },
        data: { signingSecretSealed },
      });
      return replaced.count === 1;
    });
  }

  find(tenant: string, name: string): Promise<StoredTool | null> {
    return this.transact(tenant, async (tx) => {
      const row = await tx.tool.findFirst({ where: { tenantId: tenant, name, deletedAt: null } });
      return row === null ? null : ((await withVersions(tx, tenant, [row]))[0] ?? null);
    });
  }

  /** A tool as it was at one version, which was made at its `updatedAt`. Null where there is no such version. */
  findVersion(tenant: string, name: string, version: number): Promise<StoredTool | null> {
    return this.transact(tenant, async (tx) => {
      const tool = await tx.tool.findFirst({ where: { tenantId: tenant, name } });
      const key = { tenantId: tenant, name, version };
      const found = await tx.toolVersion.findUnique({ where: { tenantId_name_version: key } });
      if (tool === null || found === null) return null;
      return {
        id: tool.id,
        definition: JSON.parse(found.definition) as ToolDefinition,
        headersSealed: found.headersSealed,
        createdAt: tool.createdAt,
        updatedAt: found.createdAt,
      };
    });
  }

  /** Newest first; the position is the tool's id. */
  list(tenant: string, { after, rows }: PageRequest): Promise<readonly StoredTool[]> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.tool.findMany({
        where: { tenantId: tenant, deletedAt: null, ...(after === null ? {} : { id: { lt: after } }) },
        orderBy: { id: 'desc' },
        take: rows,
      });
      return withVersions(tx, tenant, found);
    });
  }

  /** The current versions of those of the named tools that exist, by name. */
  currentDefinitions(tenant: string, names: readonly string[]): Promise<ReadonlyMap<string, ToolDefinition>> {
    return this.transact(tenant, async (tx) => {
      const rows = await tx.tool.findMany({
        where: { tenantId: tenant, name: { in: [...names] }, deletedAt: null },
      });
      const found = rows.length === 0 ? [] : await withVersions(tx, tenant, rows);
      return new Map(found.map(({ definition }) => [definition.name, definition]));
    });
  }
}

/**
 * Sets the timer of runs that wait for an approval of a tool, so that they look at it again. A run that somebody is
 * just deciding on is passed over: what comes of it is judged by the new rules.
 */
async function wakeRunsAsking(tx: TransactionClient, tenant: string, tool: string): Promise<void> {
  await tx.$executeRaw`
    WITH asking AS (
      SELECT id FROM runs WHERE tenant_id = ${tenant} AND status = 'waiting' AND id IN (
        SELECT run_id FROM approvals WHERE tenant_id = ${tenant} AND tool = ${tool} AND status = 'pending')
      FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE runs SET wake_at = clock_timestamp() FROM asking WHERE tenant_id = ${tenant} AND runs.id = asking.id`;
}

/** Writes the version that the tool's row, locked by this transaction, has just been given. */
async function writeVersion(
  tx: TransactionClient,
  tenant: string,
  name: string,
  make: MakeVersion,
): Promise<StoredTool> {
  const row = await tx.tool.findUniqueOrThrow({ where: { tenantId_name: { tenantId: tenant, name } } });
  const { definition, headersSealed } = make(row.currentVersion);
  await tx.toolVersion.create({
    data: {
      tenantId: tenant,
      name,
      version: row.currentVersion,
      definition: JSON.stringify(definition),
      headersSealed,
    },
  });
  return { id: row.id, definition, headersSealed, createdAt: row.createdAt, updatedAt: row.updatedAt };
}

async function withVersions(
  tx: TransactionClient,
  tenant: string,
  rows: readonly ToolRow[],
): Promise<readonly StoredTool[]> {
  const versions = await tx.toolVersion.findMany({
    where: {
      tenantId: tenant,
      OR: rows.map(({ name, currentVersion }) => ({ name, version: currentVersion })),
    },
  });
  const byName = new Map(versions.map((version) => [version.name, version]));
  return rows.flatMap(({ id, name, createdAt, updatedAt }) => {
    const version = byName.get(name);
    if (version === undefined) return [];
    const definition = JSON.parse(version.definition) as ToolDefinition;
    return [{ id, definition, headersSealed: version.headersSealed, createdAt, updatedAt }];
  });
}
