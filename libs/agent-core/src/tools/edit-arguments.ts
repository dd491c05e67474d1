import type { JsonPointer, JsonText } from '../shared/brand.js';
import { equalityText } from '../shared/canonical-json.js';
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parseJson,
  readJson,
} from '../shared/json.js';
import type { JsonProblem } from '../shared/json-problem.js';
import { isWithin, pointerBelow, pointersOverlap, readPointer } from '../shared/pointer.js';
import type { BoundArguments } from './bound-arguments.js';
import { normalizeArguments } from './normalize-arguments.js';
import type { ToolDefinition } from './tool-definition.js';

export interface ArgumentsEdit {
  readonly definition: ToolDefinition;
  readonly subject: JsonText | null;
  /** The arguments that the reviewer was shown. */
  readonly current: JsonText;
  /** The whole arguments as the reviewer wants them. */
  readonly edited: JsonText;
}

export type EditedArguments =
  | { readonly type: 'ok'; readonly bound: BoundArguments }
  | { readonly type: 'refused'; readonly errors: readonly JsonProblem[] };

/**
 * Takes a reviewer's arguments in place of those that the model proposed (CONTRACT, Approvals). Only what is `editable`
 * may differ; without that list, all but injected and constrained arguments and those that the tool's `intent` names
 * (an intent of all arguments names none). Types stay: no number or boolean becomes a string. Then the edit is
 * validated and completed as a proposal is. Injected arguments may be left out.
 */
export function applyEdit({ definition, subject, current, edited }: ArgumentsEdit): EditedArguments {
  const parsed = parseJson(edited);
  if (!parsed.ok) return { type: 'refused', errors: [parsed.error] };
  const before = readJson(current);
  const overwritten = changedInjections(definition, before, parsed.value);
  if (overwritten.length > 0) return { type: 'refused', errors: overwritten };

  const normalized = normalizeArguments({ definition, subject, proposed: edited });
  if (normalized.type === 'arguments') return { type: 'refused', errors: normalized.errors };
  if (normalized.type === 'scope')
    return { type: 'refused', errors: [{ path: '', message: normalized.message }] };
  const changes = differences(before, readJson(normalized.bound.arguments), '');
  const errors = changes.flatMap((change) => problemWith(definition, change) ?? []);
  return errors.length > 0 ? { type: 'refused', errors } : { type: 'ok', bound: normalized.bound };
}

/** Normalising would overwrite such a change in silence: the reviewer is told instead. */
function changedInjections(
  definition: ToolDefinition,
  before: JsonValue,
  after: JsonValue,
): readonly JsonProblem[] {
  return Object.keys(definition.inject).flatMap((name) => {
    const path = pointerBelow('', name);
    const [was, is] = [readPointer(before, path), readPointer(after, path)];
    if (!is.found || (was.found && equalityText(was.value) === equalityText(is.value))) return [];
    return [{ path, message: 'must not be changed' }];
  });
}

interface Change {
  readonly path: JsonPointer;
  /** Undefined where there was, or is, nothing. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** The smallest places in which two values differ. */
function differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: JsonPointer,
): readonly Change[] {
  if (before !== undefined && after !== undefined) {
    if (equalityText(before) === equalityText(after)) return [];
    const [left, right] = [asObject(before), asObject(after)];
    if (left !== null && right !== null && Array.isArray(before) === Array.isArray(after)) {
      const names = new Set([...Object.keys(left), ...Object.keys(right)]);
      return [...names].flatMap((name) =>
        differences(ownValue(left, name), ownValue(right, name), pointerBelow(path, name)),
      );
    }
  }
  return [{ path, before, after }];
}

function asObject(value: JsonValue): JsonObject | null {
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  return isJsonObject(value) ? value : null;
}

function problemWith(definition: ToolDefinition, change: Change): JsonProblem | null {
  if (!mayChange(definition, change.path)) return { path: change.path, message: 'must not be changed' };
  if (typeof change.after !== 'string') return null;
  if (isJsonNumber(change.before)) return { path: change.path, message: 'must stay a number' };
  return typeof change.before === 'boolean'
    ? { path: change.path, message: 'must stay true or false' }
    : null;
}

function mayChange({ editable, intent, inject, constrain }: ToolDefinition, path: JsonPointer): boolean {
  const fromSubject = [...Object.keys(inject), ...Object.keys(constrain)].map((name) =>
    pointerBelow('', name),
  );
  if (fromSubject.some((pointer) => pointersOverlap(pointer, path))) return false;
  if (editable !== null) return editable.some((pointer) => isWithin(path, pointer));
  return !(intent ?? []).some((pointer) => pointersOverlap(pointer, path));
}
