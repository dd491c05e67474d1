import { asSentence, whyAsked } from './why-asked';

const agent = { name: 'support', version: 4 };

test.each([
  ['tenant:0', 'rule 1 of tenant policy v7'],
  ['tenant:11', 'rule 12 of tenant policy v7'],
  ['agent:2', 'rule 3 of agent support v4'],
  ['default', 'no rule of tenant policy v7 allows it'],
  ['handover', 'too many denials in this run, tenant policy v7'],
  ['something:new', 'something:new, tenant policy v7'],
])('the rule %s is said as: %s', (policyRule, words) => {
  expect(whyAsked({ policyRule, policyVersion: 7, agent })).toBe(words);
});

test.each([
  ['refund over $50', 'Refund over $50.'],
  [' A person has to agree. ', 'A person has to agree.'],
  ['really?', 'Really?'],
  ['send_credit changes something', 'send_credit changes something.'],
  ['', ''],
])('the reason %j becomes the sentence %j', (reason, sentence) => {
  expect(asSentence(reason)).toBe(sentence);
});
