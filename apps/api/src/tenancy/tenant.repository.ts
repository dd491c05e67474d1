import { formatUsd, parseUsd } from '@countersign/agent-core';
import type { Tenant, TenantCreate, TenantUpdate } from '@countersign/contracts';
import { Prisma, type PrismaClient } from '../platform/generated/client.js';
import type { PageRequest } from '../platform/page.js';
import { callFunction } from '../platform/transaction.js';

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
  constructor(private readonly prisma: PrismaClient) {}

  /** A tenant with its first key. Null where the slug is taken. @throws DatabaseError */
  create(tenant: string, fields: TenantCreate, key: FirstKey): Promise<Tenant | null> {
    const [fieldsText, keyText] = [JSON.stringify(fields), JSON.stringify(key)];
    return this.tenantOf(
      Prisma.sql`SELECT operator_create_tenant(${tenant}, ${fieldsText}, ${keyText}) AS result`,
    );
  }

  /** Null where there is no such tenant. @throws DatabaseError */
  find(tenant: string): Promise<Tenant | null> {
    return this.tenantOf(Prisma.sql`SELECT operator_get_tenant(${tenant}) AS result`);
  }

  /** Changes what is given. Null where there is no such tenant. @throws DatabaseError */
  update(tenant: string, fields: TenantUpdate): Promise<Tenant | null> {
    return this.tenantOf(
      Prisma.sql`SELECT operator_patch_tenant(${tenant}, ${JSON.stringify(fields)}) AS result`,
    );
  }

  /** Newest first; the position is the tenant's id. @throws DatabaseError */
  async list({ after, rows }: PageRequest): Promise<readonly Tenant[]> {
    const call = Prisma.sql`SELECT operator_list_tenants(${rows}::int, ${after}) AS result`;
    const text = await callFunction<string>(this.prisma, call);
    return (JSON.parse(text) as readonly TenantJson[]).map(toTenant);
  }

  private async tenantOf(call: Prisma.Sql): Promise<Tenant | null> {
    const text = await callFunction<string | null>(this.prisma, call);
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
