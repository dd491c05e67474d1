import type { JsonPointer } from './brand.js';
import { isJsonObject, type JsonValue, ownValue, setOwn } from './json.js';

/** True for a JSON pointer (RFC 6901): empty, or steps that each begin with `/`, with `~` only in `~0` and `~1`. */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

/** The steps of a pointer, unescaped. */
export function pointerSteps(pointer: JsonPointer): readonly string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer one step below another. */
export function pointerBelow(pointer: JsonPointer, step: string | number): JsonPointer {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export type PointerRead = { readonly found: true; readonly value: JsonValue } | { readonly found: false };

/** The value at a pointer. A pointer that is malformed, or that leads out of the value, finds nothing. */
export function readPointer(value: JsonValue, pointer: JsonPointer): PointerRead {
  if (!isJsonPointer(pointer)) return { found: false };
  let current: JsonValue | undefined = value;
  for (const step of pointerSteps(pointer)) {
    current = childOf(current, step);
    if (current === undefined) return { found: false };
  }
  return { found: true, value: current };
}

/**
 * A copy of `value` with `replacement` at the pointer; what is not on the way is shared. The last step may name a new
 * key of an object or the position after an array's end. Null where a step before it leads nowhere.
 */
export function writePointer(
  value: JsonValue,
  pointer: JsonPointer,
  replacement: JsonValue,
): JsonValue | null {
  return isJsonPointer(pointer) ? writeSteps(value, pointerSteps(pointer), replacement) : null;
}

/** True where one pointer is the other, or leads to something within it. */
export function pointersOverlap(a: JsonPointer, b: JsonPointer): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

/** True where `inner` is `outer`, or leads to something within it. */
export function isWithin(inner: JsonPointer, outer: JsonPointer): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

const ARRAY_INDEX = /^(?:0|[1-9]\d{0,9})$/;

function childOf(value: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return ARRAY_INDEX.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) ? ownValue(value, step) : undefined;
}

function writeSteps(value: JsonValue, steps: readonly string[], replacement: JsonValue): JsonValue | null {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement;
  const child = childOf(value, step);
  if (child === undefined && rest.length > 0) return null;
  const written = writeSteps(child ?? null, rest, replacement);
  if (written === null && rest.length > 0) return null;
  if (Array.isArray(value)) {
    if (!ARRAY_INDEX.test(step) || Number(step) > value.length) return null;
    return Object.assign([...value], { [Number(step)]: written });
  }
  if (!isJsonObject(value)) return null;
  const copy = { ...value };
  setOwn(copy, step, written);
  return copy;
}
