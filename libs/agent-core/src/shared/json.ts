import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import type { JsonPointer, JsonText } from './brand.js';
import type { JsonProblem } from './json-problem.js';
import { scanJson } from './json-scan.js';
import { textProblem } from './text.js';

/**
 * A JSON value whose numbers keep their digits: a number that JavaScript would print differently than it was written
 * (`1.0`, `1e2`, `-0`, `1e400`, big integers, long decimals) is a LosslessNumber, every other one a number.
 */
export type JsonValue = null | boolean | string | number | LosslessNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: JsonProblem };

export interface ParseOptions {
  /** Levels of objects and arrays; default 64. */
  readonly maxDepth?: number;
  /** True: a NUL or a lone surrogate in a key or string is an error. Default false. */
  readonly strictText?: boolean;
}

/**
 * Parses a text from outside. Never throws, whatever the text is: depth is scanned before parsing, a key that occurs
 * twice in one object is refused, and `__proto__` is a key like any other.
 */
export function parseJson(text: string, options: ParseOptions = {}): ParsedJson {
  const problem = scanJson(text, options.maxDepth ?? 64);
  if (problem !== null) return { ok: false, error: problem };
  let value: JsonValue;
  try {
    value = parse(text, null, { parseNumber: numberOf }) as JsonValue;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not JSON';
    return { ok: false, error: { path: '', message } };
  }
  const strange = options.strictText ? strangeText(value, '') : null;
  return strange === null ? { ok: true, value } : { ok: false, error: strange };
}

/** Reads a text that was parsed at a border before. Throws SyntaxError where that is not so. */
export function readJson(text: JsonText): JsonValue {
  return parse(text, null, { parseNumber: numberOf }) as JsonValue;
}

/** A number as a JsonValue: a plain number where JavaScript prints the same digits, else lossless. */
function numberOf(digits: string): number | LosslessNumber {
  const number = Number(digits);
  return String(number) === digits ? number : new LosslessNumber(digits);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

export function isJsonNumber(value: JsonValue | undefined): value is number | LosslessNumber {
  return typeof value === 'number' || isLosslessNumber(value);
}

/** The value under an own key, or undefined: never one that objects inherit (`constructor`). */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own key; `__proto__` is a key like any other. */
export function setOwn<Value>(object: { [key: string]: Value }, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Plain JavaScript for code that knows no lossless numbers; digits that a double cannot hold are lost. */
export function toPlain(value: JsonValue): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(plain, key, toPlain(item));
  return plain;
}

/**
 * A JsonValue from plain JavaScript, as JSON.stringify would see it (undefined properties are left out, what has no
 * JSON form is null), save that a bigint becomes a number with all its digits.
 */
export function fromPlain(value: unknown): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return numberOf(value.toString());
  if (isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== 'object') return null;
  const object: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined && typeof item !== 'function') setOwn(object, key, fromPlain(item));
  }
  return object;
}

function strangeText(value: JsonValue, path: JsonPointer): JsonProblem | null {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    return problem === null ? null : { path, message: `must not contain ${problem}` };
  }
  if (Array.isArray(value)) return firstOf(value.entries(), path);
  return isJsonObject(value) ? firstOf(Object.entries(value), path) : null;
}

function firstOf(entries: Iterable<[string | number, JsonValue]>, path: JsonPointer): JsonProblem | null {
  for (const [key, item] of entries) {
    const below = `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const inKey = typeof key === 'string' ? textProblem(key) : null;
    if (inKey !== null) return { path: below, message: `a name must not contain ${inKey}` };
    const problem = strangeText(item, below);
    if (problem !== null) return problem;
  }
  return null;
}
