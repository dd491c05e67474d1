import type { PolicyRule, TenantPolicy } from '@countersign/agent-core';
import type { PrismaClient } from '../platform/generated/client.js';
import { tenantRead, tenantTx } from '../platform/transaction.js';

/** A tenant's policy as it is shown; `createdAt` null: the empty one that every tenant begins with. */
export interface StoredPolicy extends TenantPolicy {
  readonly createdAt: Date | null;
}

const EMPTY: StoredPolicy = {
  version: 0,
  rules: [],
  allowlist: null,
  agentsMayLoosen: false,
  createdAt: null,
};

/** A tenant's policy, version after version. */
export class PolicyRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** @throws DatabaseError */
  async current(tenant: string): Promise<StoredPolicy> {
    const query = this.prisma.policy.findFirst({ where: { tenantId: tenant }, orderBy: { version: 'desc' } });
    const found = await tenantRead(this.prisma, tenant, query);
    return found === null ? EMPTY : policyOf(found);
  }

  /** Writes the next version and raises the tenant's revision: no step decided by the former one is committed any more. */
  replace(tenant: string, policy: Omit<TenantPolicy, 'version'>): Promise<StoredPolicy> {
    return tenantTx(this.prisma, tenant, async (tx) => {
      const { policyVersion } = await tx.tenant.update({
        where: { id: tenant },
        data: { policyVersion: { increment: 1 }, revision: { increment: 1 } },
        select: { policyVersion: true },
      });
      const written = await tx.policy.create({
        data: {
          tenantId: tenant,
          version: policyVersion,
          rules: JSON.stringify(policy.rules),
          allowlist: policy.allowlist === null ? null : JSON.stringify(policy.allowlist),
          agentsMayLoosen: policy.agentsMayLoosen,
        },
      });
      return policyOf(written);
    });
  }
}

interface PolicyRow {
  readonly version: number;
  readonly rules: string;
  readonly allowlist: string | null;
  readonly agentsMayLoosen: boolean;
  readonly createdAt: Date;
}

function policyOf({ version, rules, allowlist, agentsMayLoosen, createdAt }: PolicyRow): StoredPolicy {
  return {
    version,
    rules: JSON.parse(rules) as readonly PolicyRule[],
    allowlist: allowlist === null ? null : (JSON.parse(allowlist) as readonly string[]),
    agentsMayLoosen,
    createdAt,
  };
}
