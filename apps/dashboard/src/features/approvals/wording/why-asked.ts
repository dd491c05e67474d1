import { capitalized } from './words';

interface AskedBy {
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly agent: { readonly name: string; readonly version: number };
}

/**
 * Where the rule stands by which a person is asked. The names of rules are the policy's own: `tenant:0`, `agent:0`,
 * `default`, `handover`.
 */
export function whyAsked({ policyRule, policyVersion, agent }: AskedBy): string {
  const [owner = '', index] = policyRule.split(':');
  const policy = `tenant policy v${policyVersion}`;
  if (index !== undefined && /^\d+$/.test(index)) {
    const rule = `rule ${Number(index) + 1}`;
    return owner === 'agent' ? `${rule} of agent ${agent.name} v${agent.version}` : `${rule} of ${policy}`;
  }
  if (owner === 'default') return `no rule of ${policy} allows it`;
  if (owner === 'handover') return `too many denials in this run, ${policy}`;
  return `${policyRule}, ${policy}`;
}

/** The reason of a rule as a sentence: it has a capital, unless it begins with a name, and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const start = /^[a-z]+(?=[\s'’,.?!]|$)/.test(trimmed) ? capitalized(trimmed) : trimmed;
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? start : `${start}.`;
}
