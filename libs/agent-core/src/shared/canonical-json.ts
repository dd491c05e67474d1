import type { JsonText } from './brand.js';
import { normalNumber, numberText } from './decimal.js';
import { isJsonObject, type JsonValue } from './json.js';

/**
 * The one text of a value that digests are made over: keys sorted by UTF-16 code unit, no spaces, numbers as they
 * came, strings as JSON.stringify writes them (CONTRACT, digests).
 */
export function canonicalJson(value: JsonValue): JsonText {
  return write(value, { sorted: true, number: asWritten }) as JsonText;
}

/** The same without sorting: keys stay in their order, for texts that a model reads. */
export function writeJson(value: JsonValue): JsonText {
  return write(value, { sorted: false, number: asWritten }) as JsonText;
}

/** A text that two values share exactly when they are equal: numbers by value, strings by code unit, keys in any order. */
export function equalityText(value: JsonValue): string {
  return write(value, { sorted: true, number: normalNumber });
}

interface Style {
  readonly sorted: boolean;
  readonly number: (text: string) => string;
}

const asWritten = (text: string): string => text;

function write(value: JsonValue, style: Style): string {
  const number = numberText(value);
  if (number !== null) return style.number(number);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, style)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value);
  // The default order of sort is by UTF-16 code unit.
  if (style.sorted) keys.sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${write(value[key] ?? null, style)}`).join(',')}}`;
}
