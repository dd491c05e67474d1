import type { JsonText } from '../shared/brand.js';
import { equalityText } from '../shared/canonical-json.js';
import { compareDecimals, numberText } from '../shared/decimal.js';
import { isJsonObject, type JsonValue, readJson } from '../shared/json.js';
import { readPointer } from '../shared/pointer.js';
import type { ConditionOperator, PolicyCondition } from './policy-rule.js';

/** `unclear`: the condition cannot be evaluated, because a path is missing or types do not fit. */
export type Truth = 'true' | 'false' | 'unclear';

/** True where all conditions hold; false as soon as one does not, whatever the others are. */
export function evaluateConditions(conditions: readonly PolicyCondition[], args: JsonValue): Truth {
  const truths = conditions.map((condition) => evaluateCondition(condition, args));
  if (truths.includes('false')) return 'false';
  return truths.includes('unclear') ? 'unclear' : 'true';
}

/**
 * One condition of a rule. Numbers and decimal strings (`"100.00"`) compare as exact decimals with each other; all
 * else compares only with its own kind, and has no order. `exists` takes true (or null) and false.
 */
function evaluateCondition(condition: PolicyCondition, args: JsonValue): Truth {
  const expected = expectedBy(condition);
  if (expected === undefined) return 'unclear';
  const read = readPointer(args, condition.path);
  if (condition.op === 'exists') return exists(read.found, expected);
  return read.found ? holds(condition.op, read.value, expected) : 'unclear';
}

/** A value may be a long list and its rule asked of every call: it is read once for as long as the rule is kept. */
const expectedValues = new WeakMap<PolicyCondition, { readonly value: JsonValue | undefined }>();

function expectedBy(condition: PolicyCondition): JsonValue | undefined {
  const known = expectedValues.get(condition);
  if (known !== undefined) return known.value;
  const value = readOrNothing(condition.value);
  expectedValues.set(condition, { value });
  return value;
}

function readOrNothing(text: JsonText): JsonValue | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function exists(found: boolean, expected: JsonValue): Truth {
  if (expected === true || expected === null) return truth(found);
  return expected === false ? truth(!found) : 'unclear';
}

function holds(op: Exclude<ConditionOperator, 'exists'>, actual: JsonValue, expected: JsonValue): Truth {
  switch (op) {
    case 'eq':
      return equal(actual, expected);
    case 'ne':
      return not(equal(actual, expected));
    case 'in':
      return Array.isArray(expected) ? anyOf(expected.map((item) => equal(actual, item))) : 'unclear';
    case 'gt':
      return ordered(actual, expected, (order) => order > 0);
    case 'gte':
      return ordered(actual, expected, (order) => order >= 0);
    case 'lt':
      return ordered(actual, expected, (order) => order < 0);
    case 'lte':
      return ordered(actual, expected, (order) => order <= 0);
    default:
      return 'unclear';
  }
}

function ordered(actual: JsonValue, expected: JsonValue, test: (order: number) => boolean): Truth {
  const [left, right] = [decimalText(actual), decimalText(expected)];
  const order = left === null || right === null ? null : compareDecimals(left, right);
  return order === null ? 'unclear' : truth(test(order));
}

function equal(actual: JsonValue, expected: JsonValue): Truth {
  const asDecimals = ordered(actual, expected, (order) => order === 0);
  if (asDecimals !== 'unclear') return asDecimals;
  const kind = kindOf(actual);
  if (kind === 'number' || kind !== kindOf(expected)) return 'unclear';
  return truth(equalityText(actual) === equalityText(expected));
}

/** True for what gt, gte, lt and lte can be asked of: any other value makes a condition unclear for ever. */
export function hasOrder(value: JsonValue): boolean {
  return ordered(value, value, (order) => order === 0) === 'true';
}

/** The text of a number, or of a string that is a plain decimal; a string with an exponent is none. */
function decimalText(value: JsonValue): string | null {
  if (typeof value === 'string') return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? value : null;
  return numberText(value);
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'object' ? 'number' : typeof value;
}

function anyOf(truths: readonly Truth[]): Truth {
  if (truths.includes('true')) return 'true';
  return truths.includes('unclear') ? 'unclear' : 'false';
}

function not(value: Truth): Truth {
  if (value === 'unclear') return 'unclear';
  return value === 'true' ? 'false' : 'true';
}

function truth(value: boolean): Truth {
  return value ? 'true' : 'false';
}
