import type { Scope } from '@countersign/contracts';

/** What a member may do in a tenant, from least to most. */
export type Role = 'viewer' | 'reviewer' | 'operator' | 'admin';

/** The answer of GET /v1/me. */
export interface Me {
  readonly actor: {
    readonly type: 'member' | 'key';
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
  };
  readonly operator: boolean;
  readonly tenant: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: Role | null;
    readonly scopes: readonly Scope[];
  } | null;
  readonly tenants: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: Role | null;
  }[];
}
