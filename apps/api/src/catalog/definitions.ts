import type { Definitions } from '@countersign/agent-core';
import type { CurrentVersions, DefinitionRepository } from './definition.repository.js';

/** Definitions may be large (a tool's schema has up to 64 KiB): what is kept of them is bounded. */
const KEPT = 500;

/** What a run starts with: its versions, and what they say. */
export interface StartingDefinitions extends CurrentVersions {
  readonly definitions: Definitions;
}

/** The definitions that runs began with, read once: versions are immutable. */
export class DefinitionCatalog {
  private readonly kept = new Map<string, Promise<Definitions | null>>();

  constructor(
    private readonly repository: Pick<
      DefinitionRepository,
      'currentVersions' | 'agentVersion' | 'toolVersions'
    >,
  ) {}

  /** What a run of this agent begins with, at the version given or the current one. Null where there is no such agent. */
  async current(tenant: string, agent: string, version: number | null): Promise<StartingDefinitions | null> {
    const versions = await this.repository.currentVersions(tenant, agent, version);
    if (versions === null) return null;
    const definitions = await this.load(tenant, agent, versions.agentVersion, versions.toolVersions);
    return definitions === null ? null : { ...versions, definitions };
  }

  /** The definitions of these versions. Null where the agent's version does not exist. */
  load(
    tenant: string,
    agent: string,
    agentVersion: number,
    toolVersions: Readonly<Record<string, number>>,
  ): Promise<Definitions | null> {
    const tools = Object.entries(toolVersions).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([tenant, agent, agentVersion, tools]);
    const known = this.kept.get(key);
    if (known !== undefined) return this.keep(key, known);
    const read = this.read(tenant, agent, agentVersion, toolVersions);
    read.then(
      (definitions) => definitions ?? this.kept.delete(key),
      () => this.kept.delete(key),
    );
    return this.keep(key, read);
  }

  /** A Map keeps the order of insertion: the first is the one that was not used for the longest time. */
  private keep(key: string, definitions: Promise<Definitions | null>): Promise<Definitions | null> {
    this.kept.delete(key);
    this.kept.set(key, definitions);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return definitions;
  }

  private async read(
    tenant: string,
    agentName: string,
    agentVersion: number,
    toolVersions: Readonly<Record<string, number>>,
  ): Promise<Definitions | null> {
    const [agent, tools] = await Promise.all([
      this.repository.agentVersion(tenant, agentName, agentVersion),
      this.repository.toolVersions(tenant, toolVersions),
    ]);
    return agent === null ? null : { agent, tools: new Map(tools.map((tool) => [tool.name, tool])) };
  }
}
