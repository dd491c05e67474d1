import type { Ajv2020 } from 'ajv/dist/2020.js';
import { equalityText } from '../shared/canonical-json.js';
import { compareDecimals, isMultipleOf, numberText, parseDecimal } from '../shared/decimal.js';
import type { JsonValue } from '../shared/json.js';

/** Digits of a value or divisor up to which `multipleOf` is worked out. */
const MAX_DIGITS = 1000;

type ExactTest = (value: JsonValue, limit: JsonValue) => boolean;

const ordered =
  (holds: (order: -1 | 0 | 1) => boolean): ExactTest =>
  (value, limit) => {
    const order = compareDecimals(numberText(value) ?? '', numberText(limit) ?? '');
    return order !== null && holds(order);
  };

/**
 * Keywords that ajv judges in doubles (19.99 is no multiple of 0.01 there, and 9007199254740993 equals ...992) or in
 * time that grows with the square of a list. Here they are judged by the digits as they were written.
 */
const NUMBER_TESTS: Readonly<Record<string, ExactTest>> = {
  minimum: ordered((order) => order >= 0),
  maximum: ordered((order) => order <= 0),
  exclusiveMinimum: ordered((order) => order > 0),
  exclusiveMaximum: ordered((order) => order < 0),
  multipleOf: (value, step) => {
    const [amount, divisor] = [parseDecimal(numberText(value) ?? ''), parseDecimal(numberText(step) ?? '')];
    if (amount === null || divisor === null) return false;
    return (
      Math.max(amount.digits.length, divisor.digits.length) <= MAX_DIGITS && isMultipleOf(amount, divisor)
    );
  },
};

const EQUALITY_TESTS: Readonly<Record<string, ExactTest>> = {
  const: (value, expected) => equalityText(value) === equalityText(expected),
  enum: (value, allowed) => {
    const text = equalityText(value);
    return Array.isArray(allowed) && allowed.some((item) => equalityText(item) === text);
  },
  uniqueItems: (value, wanted) => {
    if (wanted !== true || !Array.isArray(value)) return true;
    return new Set(value.map(equalityText)).size === value.length;
  },
};

/** How a keyword gets from the doubles that ajv sees to the values as they were written. */
export interface ExactSource {
  /** The value at a pointer of the arguments under validation. */
  valueAt(pointer: string): JsonValue;
  /** The schema's own value of a keyword. */
  limitOf(schema: object, keyword: string): JsonValue;
}

export function addExactKeywords(ajv: Ajv2020, source: ExactSource): void {
  for (const [keyword, test] of [...Object.entries(NUMBER_TESTS), ...Object.entries(EQUALITY_TESTS)]) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      ...(keyword in NUMBER_TESTS ? { type: 'number' as const } : {}),
      errors: false,
      validate: (_limit: unknown, data: unknown, schema?: object, context?: { instancePath: string }) => {
        // Under propertyNames the data is a name, and the path still that of the object.
        const scalar = typeof data === 'string' || typeof data === 'boolean' || data === null;
        const value = scalar ? data : source.valueAt(context?.instancePath ?? '');
        return test(value, source.limitOf(schema ?? {}, keyword));
      },
    });
  }
}
