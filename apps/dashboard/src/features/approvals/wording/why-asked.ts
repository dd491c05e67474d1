import { readPolicyRule } from '../../../kit/policy-rule';
import { capitalized } from './words';

interface AskedBy {
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly agent: { readonly name: string; readonly version: number };
}

/** Where the rule stands by which a person is asked. */
export function whyAsked({ policyRule, policyVersion, agent }: AskedBy): string {
  const rule = readPolicyRule(policyRule);
  const policy = `tenant policy v${policyVersion}`;
  switch (rule.type) {
    case 'rule':
      return rule.owner === 'agent'
        ? `rule ${rule.number} of agent ${agent.name} v${agent.version}`
        : `rule ${rule.number} of ${policy}`;
    case 'default':
      return `no rule of ${policy} allows it`;
    case 'handover':
      return `too many denials in this run, ${policy}`;
    case 'named':
      return `${rule.name}, ${policy}`;
  }
}

/** The reason of a rule as a sentence: it has a capital, unless it begins with a name, and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const start = /^[a-z]+(?=[\s'’,.?!]|$)/.test(trimmed) ? capitalized(trimmed) : trimmed;
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? start : `${start}.`;
}
