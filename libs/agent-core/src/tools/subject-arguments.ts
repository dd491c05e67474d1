import { equalityText } from '../shared/canonical-json.js';
import { type JsonObject, type JsonValue, ownValue, setOwn } from '../shared/json.js';
import { readPointer } from '../shared/pointer.js';
import type { ToolDefinition } from './tool-definition.js';

export type Injected =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string };

/**
 * The arguments with those overwritten that come from the run's subject. A subject without the value stops the call:
 * the tool must never fall back on what the model wrote.
 */
export function injectFromSubject(
  definition: ToolDefinition,
  args: JsonObject,
  subject: JsonValue,
): Injected {
  const injected = { ...args };
  for (const [name, pointer] of Object.entries(definition.inject)) {
    const value = subjectValue(subject, pointer);
    if (value === null)
      return { ok: false, message: `${name} comes from the person the run is for, who has none` };
    setOwn(injected, name, value);
  }
  return { ok: true, args: injected };
}

/**
 * Says which argument steps out of the subject's scope, or null. Numbers compare by value, strings exactly. The
 * subject's own value is not told: the model may not be meant to know it.
 */
export function outOfScope(definition: ToolDefinition, args: JsonObject, subject: JsonValue): string | null {
  for (const [name, pointer] of Object.entries(definition.constrain)) {
    const expected = subjectValue(subject, pointer);
    if (expected === null) return `${name} must match the person the run is for, who has none`;
    const actual = ownValue(args, name);
    if (actual === undefined) return `${name} is required: it must match the person the run is for`;
    if (equalityText(actual) !== equalityText(expected))
      return `${name} does not match the person the run is for`;
  }
  return null;
}

/** Null where the subject has no value there; a null of its own counts as none. */
function subjectValue(subject: JsonValue, pointer: string): JsonValue {
  const read = readPointer(subject, pointer);
  return read.found ? read.value : null;
}
