import { canonicalJson, hasOrder, type JsonValue, type PolicyRule } from '@countersign/agent-core';
import type { PolicyRuleInput } from '@countersign/contracts';
import { payloadValue } from './json-body.js';
import { type FieldError, invalidContent } from './problem.js';
import { RawJson } from './reply.js';

/**
 * Rules of a tenant or an agent as a request brings them, with every default filled in.
 * @param path where they stand in the body, for the errors.
 * @throws Problem invalid_content for a value that its operator can never compare.
 */
export function policyRulesFrom(rules: readonly PolicyRuleInput[], path: string): readonly PolicyRule[] {
  const errors = rules.flatMap((rule, index) => ruleErrors(rule, `${path}/${index}`));
  if (errors.length > 0) throw invalidContent(...errors);
  return rules.map((rule) => ({
    tool: rule.tool,
    when: (rule.when ?? []).map(({ path, op, value }) => ({
      path,
      op,
      value: canonicalJson(value === undefined ? true : payloadValue(value)),
    })),
    action: rule.action,
    approvals: rule.approvals === 2 ? 2 : 1,
    approverRole: rule.approverRole ?? null,
    ttlSeconds: rule.ttlSeconds ?? null,
    onExpiry: rule.onExpiry ?? null,
    reason: rule.reason ?? null,
  }));
}

/** Rules as an answer shows them: what was left out stays left out. */
export function shownRules(rules: readonly PolicyRule[]): readonly object[] {
  return rules.map((rule) => ({
    tool: rule.tool,
    when: rule.when.map(({ path, op, value }) => ({ path, op, value: new RawJson(value) })),
    action: rule.action,
    approvals: rule.approvals,
    approverRole: rule.approverRole ?? undefined,
    ttlSeconds: rule.ttlSeconds ?? undefined,
    onExpiry: rule.onExpiry ?? undefined,
    reason: rule.reason ?? undefined,
  }));
}

function ruleErrors(rule: PolicyRuleInput, path: string): readonly FieldError[] {
  return (rule.when ?? []).flatMap(({ op, value }, index) => {
    const message = valueFault(op, value === undefined ? undefined : payloadValue(value));
    return message === null ? [] : [{ path: `${path}/when/${index}/value`, message }];
  });
}

/** Each call of the tool is held against each of them. */
const LISTED = 1_000;

type Operator = NonNullable<PolicyRuleInput['when']>[number]['op'];

function valueFault(op: Operator, value: JsonValue | undefined): string | null {
  if (op === 'exists')
    return value === undefined || typeof value === 'boolean' ? null : 'takes true or false';
  if (value === undefined) return 'is required';
  if (op === 'in')
    return Array.isArray(value) && value.length <= LISTED ? null : `takes a list of at most ${LISTED}`;
  if (op === 'eq' || op === 'ne') return null;
  return hasOrder(value) ? null : 'takes a number or a decimal string such as "100.00"';
}
