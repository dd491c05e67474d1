import { formatUsd, parseUsd } from '@countersign/agent-core';
import type { Tenant, TenantCreate, TenantUpdate } from '@countersign/contracts';
import { callFunction, callLongFunction, type Database } from '../platform/database.js';
import type { PageRequest } from '../platform/page.js';

/** A tenant's first key as it is stored. */
export interface FirstKey {
  readonly id: string;
  readonly name: string;
  readonly keyHash: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
}

/** What the operator's functions give; instants are milliseconds. */
interface TenantJson {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly weight: number;
  readonly maxConcurrentRuns: number;
  readonly requestsPerSecond: number;
  readonly useDeploymentKeys: boolean;
  readonly suspendedAt: number | null;
  readonly createdAt: number;
  readonly monthlyBudgetUsd: string | null;
}

/** The tenants of the platform, for its operator: through the functions that alone may cross tenants (invariant I8). */
export class TenantRepository {
  constructor(private readonly database: Database) {}

  /** A tenant with its first key. Null where the slug is taken. @throws DatabaseError */
  create(tenant: string, fields: TenantCreate, key: FirstKey): Promise<Tenant | null> {
    return this.tenantOf('operator_create_tenant', {
      tenant,
      fields: JSON.stringify(fields),
      key: JSON.stringify(key),
    });
  }

  /** Null where there is no such tenant. @throws DatabaseError */
  find(tenant: string): Promise<Tenant | null> {
    return this.tenantOf('operator_get_tenant', { tenant });
  }

  /** Changes what is given. Null where there is no such tenant. @throws DatabaseError */
  update(tenant: string, fields: TenantUpdate): Promise<Tenant | null> {
    return this.tenantOf('operator_patch_tenant', { tenant, fields: JSON.stringify(fields) });
  }

  /** Newest first; the position is the tenant's id. @throws DatabaseError */
  async list({ after, rows }: PageRequest): Promise<readonly Tenant[]> {
    const text = await callFunction<string>(this.database, 'operator_list_tenants', {
      limit: rows,
      before: after,
    });
    return (JSON.parse(text) as readonly TenantJson[]).map(toTenant);
  }

  private async tenantOf(name: string, given: Readonly<Record<string, string>>): Promise<Tenant | null> {
    // A budget that is set waits for the tenant's steps, and adds up what was spent.
    const text = await callLongFunction<string | null>(this.database, name, given);
    return text === null ? null : toTenant(JSON.parse(text) as TenantJson);
  }
}

function toTenant({ suspendedAt, createdAt, monthlyBudgetUsd, ...rest }: TenantJson): Tenant {
  return {
    ...rest,
    monthlyBudgetUsd: monthlyBudgetUsd === null ? null : formatUsd(parseUsd(monthlyBudgetUsd)),
    suspended: suspendedAt !== null,
    createdAt: new Date(createdAt).toISOString(),
  };
}
