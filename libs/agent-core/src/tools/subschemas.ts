import type { JsonPointer } from '../shared/brand.js';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../shared/json.js';
import { pointerBelow } from '../shared/pointer.js';

/** What the keywords of draft 2020-12 hold that hold schemas: one, a list, or schemas by name. */
const HOLDS: ReadonlyMap<string, 'one' | 'list' | 'named'> = new Map([
  ...[
    'additionalProperties',
    'contains',
    'contentSchema',
    'else',
    'if',
    'items',
    'not',
    'propertyNames',
    'then',
  ]
    .concat('unevaluatedItems', 'unevaluatedProperties')
    .map((keyword) => [keyword, 'one'] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, 'list'] as const),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'].map(
    (keyword) => [keyword, 'named'] as const,
  ),
]);

export interface Subschema {
  readonly pointer: JsonPointer;
  readonly schema: JsonObject;
}

/**
 * All schemas within a schema, itself first; `true` is read as `{}` and `false` as `{not: {}}`, which mean the same.
 * Values of `const`, `enum`, `default` and the like are no schemas.
 */
export function* subschemas(given: JsonValue, pointer: JsonPointer = ''): Generator<Subschema> {
  const schema = typeof given === 'boolean' ? (given ? {} : { not: {} }) : given;
  if (!isJsonObject(schema)) return;
  yield { pointer, schema };
  for (const keyword of Object.keys(schema)) {
    for (const [steps, child] of heldBy(schema, keyword)) {
      const below = steps.reduce(pointerBelow, pointer);
      yield* subschemas(child, below);
    }
  }
}

/** The schemas that a keyword of a schema holds, with the steps that lead to each. */
function heldBy(schema: JsonObject, keyword: string): readonly (readonly [string[], JsonValue])[] {
  const value = ownValue(schema, keyword) ?? null;
  switch (HOLDS.get(keyword)) {
    case 'one':
      return [[[keyword], value]];
    case 'list':
      return Array.isArray(value) ? value.map((item, index) => [[keyword, String(index)], item]) : [];
    case 'named':
      return isJsonObject(value) ? Object.entries(value).map(([name, item]) => [[keyword, name], item]) : [];
    default:
      return [];
  }
}

/** A copy of a schema in which every schema that it holds directly is what `change` makes of it. */
export function mapSubschemas(schema: JsonObject, change: (child: JsonValue) => JsonValue): JsonObject {
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema))
    setOwn(copy, keyword, changed(keyword, value, change));
  return copy;
}

function changed(keyword: string, value: JsonValue, change: (child: JsonValue) => JsonValue): JsonValue {
  switch (HOLDS.get(keyword)) {
    case 'one':
      return change(value);
    case 'list':
      return Array.isArray(value) ? value.map(change) : value;
    case 'named': {
      if (!isJsonObject(value)) return value;
      const named: JsonObject = {};
      for (const [name, item] of Object.entries(value)) setOwn(named, name, change(item));
      return named;
    }
    default:
      return value;
  }
}

/** The object under a keyword (schemas by name), or an empty one. */
export function namedUnder(schema: JsonObject, keyword: string): JsonObject {
  const value = ownValue(schema, keyword);
  return isJsonObject(value) ? value : {};
}

/** The strings of a list under a keyword. */
export function stringsUnder(schema: JsonObject, keyword: string): readonly string[] {
  const value = ownValue(schema, keyword);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The schemas of a list under a keyword; `true` and `false` left out. */
export function listedUnder(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const value = ownValue(schema, keyword);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** What local references lead to, by the texts that a `$ref` may have: `#`, `#/$defs/name`, `#anchor`. */
export function referenceTargets(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const targets = new Map<string, JsonObject>();
  for (const { pointer, schema } of subschemas(root)) {
    targets.set(`#${pointer}`, schema);
    const anchor = ownValue(schema, '$anchor');
    if (typeof anchor === 'string') targets.set(`#${anchor}`, schema);
  }
  return targets;
}

/** The schema that a `$ref` leads to, or undefined. A fragment may be percent-encoded. */
export function resolveReference(
  targets: ReadonlyMap<string, JsonObject>,
  reference: string,
): JsonObject | undefined {
  try {
    return targets.get(reference) ?? targets.get(decodeURIComponent(reference));
  } catch {
    return undefined;
  }
}
