import { equalityText } from '../../shared/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../shared/json.js';
import { listedUnder, resolveReference, stringsUnder } from '../subschemas.js';

const ANNOTATIONS = new Set(['$comment', 'default', 'deprecated', 'description', 'examples', 'title']);

/** What `allOf` refers to, as it is taken in. */
export interface Inlining {
  readonly targets: ReadonlyMap<string, JsonObject>;
  /** How many references may still be taken in: two in each of twenty schemas would be a million. */
  left: number;
}

export interface MergedSchema {
  readonly schema: JsonObject;
  /** What was taken in, and what stood around it: none of these may be taken in below, or it would never end. */
  readonly within: ReadonlySet<JsonObject>;
}

/**
 * The schema with those of its `allOf` taken in that say nothing against it or each other: generators of schemas wrap
 * a reference so, which stays one, or compose objects. What cannot be united stays under `allOf`.
 */
export function mergeAllOf(
  schema: JsonObject,
  inlining: Inlining,
  around: ReadonlySet<JsonObject> = new Set(),
): MergedSchema {
  const within = new Set(around).add(schema);
  if (!Object.hasOwn(schema, 'allOf')) return { schema, within };
  const { allOf: _, ...rest } = schema;
  const parts = listedUnder(schema, 'allOf');
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && isReference(only) && saysNothing(rest)) {
    return { schema: { ...rest, ...only }, within };
  }
  let merged: JsonObject = rest;
  const left: JsonValue[] = [];
  for (const part of parts) {
    const taken = takenIn(part, inlining, within);
    const united = taken === null ? null : unite(merged, taken.schema);
    if (taken === null || united === null) left.push(part);
    else {
      merged = united;
      for (const each of taken.within) within.add(each);
    }
  }
  return { schema: left.length === 0 ? merged : { ...merged, allOf: left }, within };
}

/** A part merged in itself, with what a lone reference leads to; null where that stands around it, or is too much. */
function takenIn(part: JsonObject, inlining: Inlining, within: ReadonlySet<JsonObject>): MergedSchema | null {
  const target = isReference(part) ? resolveReference(inlining.targets, String(part.$ref)) : undefined;
  if (target === undefined) return mergeAllOf(part, inlining, within);
  if (within.has(target) || inlining.left === 0) return null;
  inlining.left -= 1;
  return mergeAllOf(target, inlining, within);
}

function isReference(part: JsonObject): boolean {
  return typeof ownValue(part, '$ref') === 'string' && Object.keys(part).length === 1;
}

function saysNothing(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}

/** One schema that holds exactly where both do; null where that cannot be said simply. */
function unite(left: JsonObject, right: JsonObject): JsonObject | null {
  if (isClosed(left) !== isClosed(right)) return null;
  const united = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const known = ownValue(united, keyword);
    if (known === undefined) setOwn(united, keyword, value);
    else if (keyword === 'required') {
      setOwn(united, keyword, [
        ...new Set([...stringsUnder(left, 'required'), ...stringsUnder(right, 'required')]),
      ]);
    } else if (keyword === 'properties' && isJsonObject(known) && isJsonObject(value)) {
      const properties = uniteProperties(known, value);
      if (properties === null) return null;
      setOwn(united, keyword, properties);
    } else if (!ANNOTATIONS.has(keyword) && equalityText(known) !== equalityText(value)) return null;
  }
  return united;
}

function isClosed(schema: JsonObject): boolean {
  return 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
}

function uniteProperties(left: JsonObject, right: JsonObject): JsonObject | null {
  const united = { ...left };
  for (const [name, field] of Object.entries(right)) {
    const known = ownValue(united, name);
    if (known !== undefined && equalityText(known) !== equalityText(field)) return null;
    setOwn(united, name, field);
  }
  return united;
}
