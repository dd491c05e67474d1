import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../shared/json.js';
import { isWhole } from './schema-types.js';
import { subschemas } from './subschemas.js';

/** A keyword of ours in each schema: how much work one look at it is. Summed up, it bounds a validation. */
export const STEP_KEYWORD = 'x-countersign-step';

/**
 * Keywords that draft 2020-12 does not know, or that are of no use here, but that would change what ajv does: `$async`
 * makes it answer with a promise, which is always truthy.
 */
const LEFT_OUT = new Set(['$async', '$id', '$schema', 'id', STEP_KEYWORD]);

export interface PlainSchema {
  readonly schema: Record<string, unknown>;
  /** From each plain schema to the one with digits as written. */
  readonly exact: WeakMap<object, JsonObject>;
}

/** A schema as ajv takes it. */
export function plainSchema(root: JsonObject): PlainSchema {
  const schemas = new Set<JsonValue>();
  for (const { schema } of subschemas(root)) schemas.add(schema);
  const exact = new WeakMap<object, JsonObject>();

  const convert = (value: JsonValue): unknown => {
    if (isLosslessNumber(value)) return Number(value.value);
    if (Array.isArray(value)) return value.map(convert);
    return isJsonObject(value) ? convertObject(value) : value;
  };
  const convertObject = (value: JsonObject): Record<string, unknown> => {
    const isSchema = schemas.has(value);
    const plain: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (isSchema && (LEFT_OUT.has(key) || isLonelyNullable(key, value))) continue;
      setOwn(plain, key, convert(item));
    }
    if (isSchema) plain[STEP_KEYWORD] = workOf(value);
    if (isSchema) exact.set(plain, value);
    return plain;
  };
  return { schema: convertObject(root), exact };
}

/** One for the schema itself, and one for each thing that it may have to compare or miss. Others within it count for themselves. */
function workOf(schema: JsonObject): number {
  const lists = ['enum', 'required'].map((keyword) => ownValue(schema, keyword));
  const named = ['properties', 'patternProperties'].map((keyword) => ownValue(schema, keyword));
  const listed = lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
  return named.reduce<number>(
    (sum, map) => sum + (isJsonObject(map ?? null) ? Object.keys(map as JsonObject).length : 0),
    1 + listed,
  );
}

/** `nullable` is OpenAPI's; without a type beside it any value, null too, is allowed anyhow, and ajv would refuse it. */
function isLonelyNullable(key: string, schema: JsonObject): boolean {
  return key === 'nullable' && ownValue(schema, 'type') === undefined;
}

/**
 * Arguments as ajv takes them. Only types are read from these numbers, limits from the digits: so a fraction that a
 * double would round to a whole number becomes NaN, which is a number and not an integer.
 */
export function plainArguments(value: JsonValue): unknown {
  if (isLosslessNumber(value)) {
    const number = Number(value.value);
    return Number.isInteger(number) && !isWhole(value) ? Number.NaN : number;
  }
  if (Array.isArray(value)) return value.map(plainArguments);
  if (!isJsonObject(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(plain, key, plainArguments(item));
  return plain;
}
