import type { Definitions } from '@countersign/agent-core';
import { RecentReads } from '../platform/recent-reads.js';
import type { CurrentVersions, DefinitionRepository } from './definition.repository.js';

/** Definitions may be large (a tool's schema has up to 64 KiB): what is kept of them is bounded. */
const KEPT = 500;
/** What agents begin with is small, and each start looks at it. */
const KEPT_STARTS = 5_000;

/** What a run starts with: its versions, and what they say. */
export interface StartingDefinitions extends CurrentVersions {
  readonly definitions: Definitions;
}

/** The definitions that runs begin with: versions are immutable, so they are read once. */
export class DefinitionCatalog {
  private readonly versions = new RecentReads<Definitions | null>(KEPT);
  private readonly starts = new RecentReads<StartingDefinitions | null>(KEPT_STARTS);

  constructor(private readonly repository: Pick<DefinitionRepository, 'currentVersions' | 'load'>) {}

  /**
   * What a run of this agent begins with, at the version given or the current one. Null where there is no such agent.
   * It may be of an older catalog: the ledger says so when the run is written, and then it is forgotten.
   */
  current(tenant: string, agent: string, version: number | null): Promise<StartingDefinitions | null> {
    return this.starts.get(startKey(tenant, agent, version), async () => {
      const versions = await this.repository.currentVersions(tenant, agent, version);
      if (versions === null) return null;
      const definitions = await this.load(tenant, agent, versions.agentVersion, versions.toolVersions);
      return definitions === null ? null : { ...versions, definitions };
    });
  }

  /** Called when the ledger says that the catalog has changed. */
  forget(tenant: string, agent: string, version: number | null): void {
    this.starts.forget(startKey(tenant, agent, version));
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
    return this.versions.get(key, () => this.repository.load(tenant, agent, agentVersion, toolVersions));
  }
}

function startKey(tenant: string, agent: string, version: number | null): string {
  return JSON.stringify([tenant, agent, version]);
}
