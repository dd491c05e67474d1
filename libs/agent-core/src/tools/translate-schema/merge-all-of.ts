import { equalityText } from '../../shared/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../shared/json.js';
import { listedUnder, resolveReference, stringsUnder } from '../subschemas.js';

const ANNOTATIONS = new Set(['$comment', 'default', 'deprecated', 'description', 'examples', 'title']);

/**
 * The schema with those of its `allOf` taken in that say nothing against it or each other: generators of schemas wrap
 * a reference so, or compose objects. What cannot be united stays under `allOf`.
 */
export function mergeAllOf(
  schema: JsonObject,
  targets: ReadonlyMap<string, JsonObject>,
  within: readonly JsonObject[] = [],
): JsonObject {
  if (!Object.hasOwn(schema, 'allOf')) return schema;
  const { allOf: _, ...rest } = schema;
  let merged: JsonObject = rest;
  const left: JsonValue[] = [];
  for (const part of listedUnder(schema, 'allOf')) {
    const united = unite(merged, mergeAllOf(inlined(part, targets, within), targets, [...within, part]));
    if (united === null) left.push(part);
    else merged = united;
  }
  return left.length === 0 ? merged : { ...merged, allOf: left };
}

/** What a lone reference leads to, unless it leads back to where it stands. */
function inlined(
  part: JsonObject,
  targets: ReadonlyMap<string, JsonObject>,
  within: readonly JsonObject[],
): JsonObject {
  const reference = ownValue(part, '$ref');
  if (typeof reference !== 'string' || Object.keys(part).length > 1 || within.includes(part)) return part;
  const target = resolveReference(targets, reference);
  return target === undefined || within.length > 20 ? part : target;
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
