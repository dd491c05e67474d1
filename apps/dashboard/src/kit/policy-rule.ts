/** Where a rule stands that asked for a person: the policy's own names are `tenant:0`, `agent:0`, `default`, `handover`. */
export type PolicyRule =
  | { readonly type: 'rule'; readonly owner: 'agent' | 'tenant'; readonly number: number }
  | { readonly type: 'default' | 'handover' }
  | { readonly type: 'named'; readonly name: string };

/** Reads the policy's own name of a rule. Rules count from 1. */
export function readPolicyRule(policyRule: string): PolicyRule {
  const [, owner, index] = /^(agent|tenant):(\d+)$/.exec(policyRule) ?? [];
  if (owner !== undefined) {
    return { type: 'rule', owner: owner as 'agent' | 'tenant', number: Number(index) + 1 };
  }
  if (policyRule === 'default' || policyRule === 'handover') return { type: policyRule };
  return { type: 'named', name: policyRule };
}

/** A rule in words, of whichever version of the policy or the agent. */
export function ruleWords(policyRule: string): string {
  const rule = readPolicyRule(policyRule);
  switch (rule.type) {
    case 'rule':
      return `rule ${rule.number} of the ${rule.owner === 'agent' ? 'agent' : 'tenant policy'}`;
    case 'default':
      return 'no rule allows it';
    case 'handover':
      return 'too many denials in a run';
    case 'named':
      return rule.name;
  }
}
