import type { JsonPointer, JsonText } from '../shared/brand.js';

export type ConditionOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'exists';

export interface PolicyCondition {
  readonly path: JsonPointer;
  readonly op: ConditionOperator;
  /** JSON text, so that decimals and big integers keep their digits. */
  readonly value: JsonText;
}

export interface PolicyRule {
  /** A glob over tool names: `*` stands for any run of characters. */
  readonly tool: string;
  readonly when: readonly PolicyCondition[];
  readonly action: 'allow' | 'deny' | 'require_approval';
  readonly approvals: 1 | 2;
  readonly approverRole: string | null;
  readonly ttlSeconds: number | null;
  readonly onExpiry: 'reject' | 'fail' | null;
  readonly reason: string | null;
}

/** The tenant's policy at one version. Version 0 is the empty policy that every tenant begins with. */
export interface TenantPolicy {
  readonly version: number;
  readonly rules: readonly PolicyRule[];
  /** Tools that may be called at all; null: every registered tool. */
  readonly allowlist: readonly string[] | null;
  readonly agentsMayLoosen: boolean;
}

/** The rule's name where a person is asked because many calls of the run were denied before. */
export const HANDOVER = 'handover';

/** What policy says of one call. `rule` names the rule that decided (`tenant:3`, `agent:0`, `default`, `allowlist`, `handover`). */
export type Verdict =
  | { readonly type: 'allow'; readonly rule: string }
  | { readonly type: 'deny'; readonly rule: string; readonly reason: string }
  | {
      readonly type: 'require_approval';
      readonly rule: string;
      readonly reason: string;
      readonly approvals: 1 | 2;
      readonly approverRoles: readonly string[];
      /** Null: the agent's approvalTtlSeconds. */
      readonly ttlSeconds: number | null;
      readonly onExpiry: 'reject' | 'fail';
    };
