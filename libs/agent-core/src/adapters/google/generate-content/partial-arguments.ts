import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../../shared/json.js';
import { textAt } from '../wire-value.js';

const MOST_STEPS = 64;
const STEP = /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Puts one piece of streamed arguments (`PartialArg`) into `args`, which it changes: a text continues the one that
 * stands at its path, any other value is set. False where the piece cannot be placed: a path that is none, that leads
 * through something other than an object or list, or that leaves a gap in a list.
 */
export function placePartial(args: JsonObject, piece: JsonObject): boolean {
  const steps = stepsOf(textAt(piece, 'jsonPath'));
  const value = pieceValue(piece);
  if (steps === null || value === undefined) return false;
  let place: JsonValue = args;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const known = childOf(place, step);
    if (next === undefined) {
      return setChild(
        place,
        step,
        typeof value === 'string' && typeof known === 'string' ? known + value : value,
      );
    }
    const inner: JsonValue = known ?? (typeof next === 'number' ? [] : {});
    if (known === undefined && !setChild(place, step, inner)) return false;
    place = inner;
  }
  return false;
}

/** `$.recipe.ingredients[0].amount` as keys and positions; null where it is no such path. */
function stepsOf(path: string): readonly (string | number)[] | null {
  if (!path.startsWith('$')) return null;
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    if (found === null || steps.length === MOST_STEPS) return null;
    const [, name, position, single, double] = found;
    steps.push(
      position === undefined ? (name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')) : Number(position),
    );
  }
  return steps;
}

function pieceValue(piece: JsonObject): JsonValue | undefined {
  if (ownValue(piece, 'nullValue') !== undefined) return null;
  for (const name of ['stringValue', 'numberValue', 'boolValue']) {
    const value = ownValue(piece, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function childOf(place: JsonValue, step: string | number): JsonValue | undefined {
  if (Array.isArray(place)) return typeof step === 'number' ? place[step] : undefined;
  return isJsonObject(place) && typeof step === 'string' ? ownValue(place, step) : undefined;
}

function setChild(place: JsonValue, step: string | number, value: JsonValue): boolean {
  if (Array.isArray(place) && typeof step === 'number' && step <= place.length) {
    place[step] = value;
    return true;
  }
  if (!isJsonObject(place) || typeof step !== 'string') return false;
  setOwn(place, step, value);
  return true;
}
