import type { JsonText } from '../shared/brand.js';
import { type JsonValue, parseJson } from '../shared/json.js';
import type { EffectClass } from '../tools/tool-definition.js';
import { evaluateConditions } from './evaluate-condition.js';
import { globCovers } from './glob.js';
import type { PolicyRule, TenantPolicy, Verdict } from './policy-rule.js';

export interface PolicyQuestion {
  readonly tool: { readonly name: string; readonly effect: EffectClass };
  /** Normalised arguments. */
  readonly arguments: JsonText;
  readonly agentRules: readonly PolicyRule[];
  readonly tenant: Omit<TenantPolicy, 'version'>;
  /** The agent's approvalTtlSeconds: what a rule without ttl stands for when the shortest is looked for. */
  readonly defaultTtlSeconds?: number;
}

interface Matched {
  /** `tenant:<index>` or `agent:<index>`. */
  readonly name: string;
  readonly rule: PolicyRule;
}

/**
 * What the rules say of one call (CONTRACT, policy). A tool outside of the allowlist is denied. Of all rules that
 * match, of tenant and agent alike, the strictest action decides; several that require approval add up to the most
 * approvals, all roles and the shortest ttl, and expiry fails where any says so. A rule that cannot be evaluated
 * matches, unless it allows. Without any match `read` is allowed and the rest requires approval.
 *
 * Loosening: an `allow` of the agent lifts that default for `read` and `idempotent`, whose repeats do no harm. For
 * `once` it counts only where the tenant sets `agentsMayLoosen`; otherwise it is as if it were not there.
 */
export function evaluatePolicy(question: PolicyQuestion): Verdict {
  const { tool, tenant } = question;
  if (tenant.allowlist !== null && !tenant.allowlist.some((glob) => globCovers(glob, tool.name))) {
    return {
      type: 'deny',
      rule: 'allowlist',
      reason: `${tool.name} is not among the tools that may be used`,
    };
  }
  const matched = matchingRules(question);
  const denial = matched.find(({ rule }) => rule.action === 'deny');
  if (denial) {
    return {
      type: 'deny',
      rule: denial.name,
      reason: denial.rule.reason ?? `policy denies this call of ${tool.name}`,
    };
  }
  const approvals = matched.filter(({ rule }) => rule.action === 'require_approval');
  if (approvals.length > 0) return requireApproval(approvals, question);
  const allowance = matched[0];
  if (allowance) return { type: 'allow', rule: allowance.name };
  return defaultVerdict(tool);
}

function matchingRules(question: PolicyQuestion): readonly Matched[] {
  const { tool, tenant, agentRules } = question;
  const parsed = parseJson(question.arguments, { maxDepth: 1000 });
  const args: JsonValue = parsed.ok ? parsed.value : null;
  const named = [
    ...tenant.rules.map((rule, index) => ({ name: `tenant:${index}`, rule })),
    ...agentRules
      .map((rule, index) => ({ name: `agent:${index}`, rule }))
      .filter(({ rule }) => rule.action !== 'allow' || tool.effect !== 'once' || tenant.agentsMayLoosen),
  ];
  return named.filter(({ rule }) => globCovers(rule.tool, tool.name) && applies(rule, args));
}

function applies(rule: PolicyRule, args: JsonValue): boolean {
  const truth = evaluateConditions(rule.when, args);
  return truth === 'true' || (truth === 'unclear' && rule.action !== 'allow');
}

function requireApproval(matched: readonly Matched[], question: PolicyQuestion): Verdict {
  const approvals = matched.some(({ rule }) => rule.approvals === 2) ? 2 : 1;
  const deciding = matched.find(({ rule }) => rule.approvals === approvals);
  const roles = matched.flatMap(({ rule }) => rule.approverRole ?? []);
  return {
    type: 'require_approval',
    rule: deciding?.name ?? 'default',
    reason: deciding?.rule.reason ?? `policy requires approval for ${question.tool.name}`,
    approvals,
    approverRoles: [...new Set(roles)].sort(),
    ttlSeconds: shortestTtl(matched, question.defaultTtlSeconds ?? null),
    onExpiry: matched.some(({ rule }) => rule.onExpiry === 'fail') ? 'fail' : 'reject',
  };
}

/** Null where no rule names one: the agent's own holds then. */
function shortestTtl(matched: readonly Matched[], defaultTtl: number | null): number | null {
  const named = matched.flatMap(({ rule }) => rule.ttlSeconds ?? []);
  if (named.length === 0) return null;
  const implied = named.length < matched.length && defaultTtl !== null ? [defaultTtl] : [];
  return Math.min(...named, ...implied);
}

function defaultVerdict(tool: PolicyQuestion['tool']): Verdict {
  if (tool.effect === 'read') return { type: 'allow', rule: 'default' };
  return {
    type: 'require_approval',
    rule: 'default',
    reason: `${tool.name} changes something and no rule allows it`,
    approvals: 1,
    approverRoles: [],
    ttlSeconds: null,
    onExpiry: 'reject',
  };
}
