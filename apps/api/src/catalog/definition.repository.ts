import type { AgentDefinition, Definitions, ToolDefinition } from '@countersign/agent-core';
import { callFunction, type Database } from '../platform/database.js';

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
  constructor(private readonly database: Database) {}

  /**
   * What a run of an agent begins with, at its current version or at the one given. Null where there is no such agent.
   * @throws DatabaseError
   */
  async currentVersions(
    tenant: string,
    agent: string,
    version: number | null,
  ): Promise<CurrentVersions | null> {
    const text = await callFunction<string | null>(this.database, 'current_versions', {
      tenant,
      agent,
      version,
    });
    return text === null ? null : (JSON.parse(text) as CurrentVersions);
  }

  /**
   * An agent's version with those of the named tool versions that exist, deleted tools included. Null where there is no
   * such agent version.
   * @throws DatabaseError
   */
  async load(
    tenant: string,
    agentName: string,
    agentVersion: number,
    toolVersions: Readonly<Record<string, number>>,
  ): Promise<Definitions | null> {
    const text = await callFunction<string | null>(this.database, 'definitions_of', {
      tenant,
      agent: agentName,
      version: agentVersion,
      tools: JSON.stringify(toolVersions),
    });
    if (text === null) return null;
    const { agent, tools } = JSON.parse(text) as { agent: AgentDefinition; tools: ToolDefinition[] };
    return { agent, tools: new Map(tools.map((tool) => [tool.name, tool])) };
  }
}
