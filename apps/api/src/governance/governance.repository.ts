import type { Governance, PolicyRule, Role } from '@countersign/agent-core';
import { callFunction, type Database } from '../platform/database.js';

/** The rules of a tenant as of now. */
export type CurrentRules = Governance & { readonly suspended: boolean };

interface RulesJson {
  readonly revision: number;
  readonly suspended: boolean;
  readonly policyVersion: number;
  /** JSON text; null: the empty policy that every tenant begins with. */
  readonly rules: string | null;
  readonly allowlist: string | null;
  readonly agentsMayLoosen: boolean;
  readonly withdrawn: readonly string[];
  readonly members: Readonly<Record<string, Role>>;
  readonly keys: Readonly<Record<string, number | null>>;
}

/** What holds for a tenant's runs. The caller caches: a step that was decided by older rules is refused by the ledger. */
export class GovernanceRepository {
  constructor(private readonly database: Database) {}

  /** Everything in one query. @throws DatabaseError; Error where there is no such tenant. */
  async current(tenant: string): Promise<CurrentRules> {
    const text = await callFunction<string | null>(this.database, 'rules_of', { tenant });
    if (text === null) throw new Error(`there is no tenant ${tenant}`);
    const row = JSON.parse(text) as RulesJson;
    return {
      revision: row.revision,
      suspended: row.suspended,
      withdrawn: new Set(row.withdrawn),
      members: new Map(Object.entries(row.members)),
      keys: new Map(Object.entries(row.keys)),
      policy: {
        version: row.policyVersion,
        rules: row.rules === null ? [] : (JSON.parse(row.rules) as PolicyRule[]),
        allowlist: row.allowlist === null ? null : (JSON.parse(row.allowlist) as string[]),
        agentsMayLoosen: row.agentsMayLoosen,
      },
    };
  }
}
