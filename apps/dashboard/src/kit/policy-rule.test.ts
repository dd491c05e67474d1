import { ruleWords } from './policy-rule';

test.each([
  ['tenant:0', 'rule 1 of the tenant policy'],
  ['agent:1', 'rule 2 of the agent'],
  ['default', 'no rule allows it'],
  ['handover', 'too many denials in a run'],
  ['a name of its own', 'a name of its own'],
])('%s is said as: %s', (policyRule, words) => {
  expect(ruleWords(policyRule)).toBe(words);
});
