import type { AgentDefinition } from '@countersign/agent-core';
import type { PageRequest } from '../platform/page.js';
import type { Transact, TransactionClient } from '../platform/transaction.js';

/** One version of an agent. `createdAt` is the version's. */
export interface StoredAgent {
  readonly id: string;
  readonly definition: AgentDefinition;
  readonly createdAt: Date;
}

/** Makes the version with the number that it is told. */
type MakeVersion = (version: number) => AgentDefinition;

interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly currentVersion: number;
}

/** Agents and their immutable versions. */
export class AgentRepository {
  constructor(private readonly transact: Transact) {}

  /** Null where the name is taken. */
  create(tenant: string, agent: { readonly id: string; readonly name: string }, make: MakeVersion) {
    return this.transact(tenant, async (tx): Promise<StoredAgent | null> => {
      const created = await tx.agent.createMany({
        data: [{ ...agent, tenantId: tenant, currentVersion: 1 }],
        skipDuplicates: true,
      });
      return created.count === 1 ? writeVersion(tx, tenant, agent.name, make) : null;
    });
  }

  /** Writes the next version. Null where there is no such agent. */
  addVersion(tenant: string, name: string, make: MakeVersion): Promise<StoredAgent | null> {
    return this.transact(tenant, async (tx) => {
      const moved = await tx.agent.updateMany({
        where: { tenantId: tenant, name },
        data: { currentVersion: { increment: 1 }, updatedAt: new Date() },
      });
      return moved.count === 1 ? writeVersion(tx, tenant, name, make) : null;
    });
  }

  /** The agent at its current version. */
  find(tenant: string, name: string): Promise<StoredAgent | null> {
    return this.transact(tenant, async (tx) => {
      const row = await tx.agent.findUnique({ where: { tenantId_name: { tenantId: tenant, name } } });
      return row === null ? null : ((await withVersions(tx, tenant, [row]))[0] ?? null);
    });
  }

  /** Agents at their current versions, newest first; the position is the agent's id. */
  list(tenant: string, { after, rows }: PageRequest): Promise<readonly StoredAgent[]> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.agent.findMany({
        where: { tenantId: tenant, ...(after === null ? {} : { id: { lt: after } }) },
        orderBy: { id: 'desc' },
        take: rows,
      });
      return withVersions(tx, tenant, found);
    });
  }

  /** Every version of an agent, newest first; the position is the version's number. Null where there is no such agent. */
  listVersions(
    tenant: string,
    name: string,
    { after, rows }: PageRequest,
  ): Promise<readonly StoredAgent[] | null> {
    return this.transact(tenant, async (tx) => {
      const agent = await tx.agent.findUnique({ where: { tenantId_name: { tenantId: tenant, name } } });
      if (agent === null) return null;
      const versions = await tx.agentVersion.findMany({
        where: { tenantId: tenant, name, ...(after === null ? {} : { version: { lt: Number(after) } }) },
        orderBy: { version: 'desc' },
        take: rows,
      });
      return versions.map((version) => storedAgent(agent.id, version));
    });
  }
}

interface VersionRow {
  readonly definition: string;
  readonly createdAt: Date;
}

function storedAgent(id: string, { definition, createdAt }: VersionRow): StoredAgent {
  return { id, definition: JSON.parse(definition) as AgentDefinition, createdAt };
}

/** Writes the version that the agent's row, locked by this transaction, has just been given. */
async function writeVersion(
  tx: TransactionClient,
  tenant: string,
  name: string,
  make: MakeVersion,
): Promise<StoredAgent> {
  const row = await tx.agent.findUniqueOrThrow({ where: { tenantId_name: { tenantId: tenant, name } } });
  const definition = make(row.currentVersion);
  const written = await tx.agentVersion.create({
    data: { tenantId: tenant, name, version: row.currentVersion, definition: JSON.stringify(definition) },
  });
  return storedAgent(row.id, written);
}

async function withVersions(
  tx: TransactionClient,
  tenant: string,
  rows: readonly AgentRow[],
): Promise<readonly StoredAgent[]> {
  const versions = await tx.agentVersion.findMany({
    where: {
      tenantId: tenant,
      OR: rows.map(({ name, currentVersion }) => ({ name, version: currentVersion })),
    },
  });
  const byName = new Map(versions.map((version) => [version.name, version]));
  return rows.flatMap((row) => {
    const version = byName.get(row.name);
    return version === undefined ? [] : [storedAgent(row.id, version)];
  });
}
