import { isInteger, numberText, parseDecimal } from '../shared/decimal.js';
import { isJsonNumber, isJsonObject, type JsonValue } from '../shared/json.js';

/** The types of JSON Schema, as a model reads of them. */
const WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

export function isTypeName(value: JsonValue): boolean {
  return typeof value === 'string' && Object.hasOwn(WORDS, value);
}

/** One or several types in words: `a string or null`. */
export function typeInWords(types: readonly string[]): string {
  return [...new Set(types)].map((type) => WORDS[type] ?? type).join(' or ');
}

/** True where a value has the type, or one of the types, that a schema's `type` names. Numbers are judged exactly. */
export function fitsType(value: JsonValue, type: JsonValue): boolean {
  if (Array.isArray(type)) return type.some((name) => fitsType(value, name));
  switch (type) {
    case 'integer':
      return isWhole(value);
    case 'number':
      return isJsonNumber(value);
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

export function isWhole(value: JsonValue): boolean {
  const decimal = parseDecimal(numberText(value) ?? '');
  return decimal !== null && isInteger(decimal);
}
