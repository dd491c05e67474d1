import type { JsonText } from '../shared/brand.js';
import { readJson } from '../shared/json.js';
import { evaluateConditions } from './evaluate-condition.js';
import type { ConditionOperator, PolicyCondition } from './policy-rule.js';

const when = (path: string, op: ConditionOperator, value: string): PolicyCondition => ({
  path,
  op,
  value: value as JsonText,
});

describe('conditions', () => {
  const truth = (op: ConditionOperator, argument: string, value: string) =>
    evaluateConditions([when('/a', op, value)], { a: readJson(argument as JsonText) });

  test.each([
    ['eq', '"EUR"', '"EUR"', 'true'],
    ['eq', '"eur"', '"EUR"', 'false'],
    ['eq', '"100.00"', '100', 'true'],
    ['eq', '"100.00"', '"100"', 'true'],
    ['eq', '"0100"', '"100"', 'false'],
    ['eq', '5', '"EUR"', 'unclear'],
    ['eq', 'null', '"EUR"', 'unclear'],
    ['eq', 'null', 'null', 'true'],
    ['eq', '{"x":[1]}', '{"x":[1.0]}', 'true'],
    ['eq', 'true', 'false', 'false'],
    ['ne', '"USD"', '"EUR"', 'true'],
    ['ne', '"EUR"', '"EUR"', 'false'],
    ['ne', '5', '"EUR"', 'unclear'],
    ['gt', '"100.01"', '"100"', 'true'],
    ['gt', '"9"', '"10"', 'false'],
    ['gte', '100', '"100.00"', 'true'],
    ['lt', '99.999999999999999999', '100', 'true'],
    ['lte', '"1e2"', '100', 'unclear'],
    ['lte', '"ten"', '100', 'unclear'],
    ['lte', '10', '"ten"', 'unclear'],
    ['lt', 'true', '100', 'unclear'],
    ['in', '"b"', '["a","b"]', 'true'],
    ['in', '"c"', '["a","b"]', 'false'],
    ['in', '3', '[1, "3.0"]', 'true'],
    ['in', '3', '["a"]', 'unclear'],
    ['in', '3', '[]', 'false'],
    ['in', '"a"', '"a"', 'unclear'],
    ['exists', 'null', 'true', 'true'],
    ['exists', 'null', 'null', 'true'],
    ['exists', 'null', 'false', 'false'],
    ['exists', '1', '"yes"', 'unclear'],
    ['eq', '1', '{', 'unclear'],
  ] as const)('%s: %s against %s is %s', (op, argument, value, expected) => {
    expect(truth(op, argument, value)).toBe(expected);
  });

  test('a path that leads nowhere is unclear, unless the question is whether it exists', () => {
    for (const op of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'] as const) {
      expect(evaluateConditions([when('/b', op, '1')], { a: 1 })).toBe('unclear');
    }
    expect(evaluateConditions([when('/b', 'exists', 'true')], { a: 1 })).toBe('false');
    expect(evaluateConditions([when('/b', 'exists', 'false')], { a: 1 })).toBe('true');
    expect(evaluateConditions([when('/constructor', 'exists', 'true')], { a: 1 })).toBe('false');
  });

  test('all of a rule must hold; one that is false settles it whatever is unclear', () => {
    const yes = when('/a', 'eq', '1');
    const no = when('/a', 'eq', '2');
    const unclear = when('/b', 'eq', '1');
    expect(evaluateConditions([yes, yes], { a: 1 })).toBe('true');
    expect(evaluateConditions([unclear, yes], { a: 1 })).toBe('unclear');
    expect(evaluateConditions([unclear, no], { a: 1 })).toBe('false');
    expect(evaluateConditions([], { a: 1 })).toBe('true');
  });
});
