import type { AgentDefinition, ToolDefinition } from '@countersign/agent-core';
import type { PrismaClient } from '../platform/generated/client.js';
import { tenantRead } from '../platform/transaction.js';

/** The versions that a run which begins now keeps for its whole life. */
export interface CurrentVersions {
  /** Of the tenant's catalog: while it stays, so do these versions. */
  readonly catalogRevision: number;
  readonly agentVersion: number;
  /** Tools of the agent that are registered now. */
  readonly toolVersions: Readonly<Record<string, number>>;
}

/** Reads definitions by version: they never change. */
export class DefinitionRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** What a run of an agent begins with, at its current version or at the one given. Null where there is no such agent. */
  async currentVersions(
    tenant: string,
    agent: string,
    version: number | null,
  ): Promise<CurrentVersions | null> {
    const query = this.prisma.$queryRaw<
      readonly { revision: number; version: number; tools: string | null }[]
    >`
      SELECT c.catalog_revision AS revision, v.version, (
        SELECT json_object_agg(t.name, t.current_version)::text FROM tools AS t
        WHERE t.tenant_id = ${tenant} AND t.deleted_at IS NULL
          AND t.name = ANY (ARRAY(SELECT json_array_elements_text(v.definition::json -> 'tools')))
      ) AS tools
      FROM agents AS a JOIN agent_versions AS v
        ON v.tenant_id = a.tenant_id AND v.name = a.name AND v.version = coalesce(${version}::int, a.current_version)
      JOIN tenants AS c ON c.id = a.tenant_id
      WHERE a.tenant_id = ${tenant} AND a.name = ${agent}`;
    const [row] = await tenantRead(this.prisma, tenant, query);
    if (row === undefined) return null;
    return {
      catalogRevision: row.revision,
      agentVersion: row.version,
      toolVersions: JSON.parse(row.tools ?? '{}') as Record<string, number>,
    };
  }

  /** Null where there is no such version. */
  async agentVersion(tenant: string, name: string, version: number): Promise<AgentDefinition | null> {
    const key = { tenantId: tenant, name, version };
    const query = this.prisma.agentVersion.findUnique({ where: { tenantId_name_version: key } });
    const found = await tenantRead(this.prisma, tenant, query);
    return found === null ? null : (JSON.parse(found.definition) as AgentDefinition);
  }

  /** Those of the named versions that exist, deleted tools included. */
  async toolVersions(
    tenant: string,
    versions: Readonly<Record<string, number>>,
  ): Promise<readonly ToolDefinition[]> {
    const named = Object.entries(versions).map(([name, version]) => ({ name, version }));
    const query = this.prisma.toolVersion.findMany({ where: { tenantId: tenant, OR: named } });
    const found = await tenantRead(this.prisma, tenant, query);
    return found.map(({ definition }) => JSON.parse(definition) as ToolDefinition);
  }
}
