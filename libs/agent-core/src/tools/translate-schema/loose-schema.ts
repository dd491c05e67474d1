import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../shared/json.js';
import { fitsType } from '../schema-types.js';
import { listedUnder, mapSubschemas, namedUnder } from '../subschemas.js';
import { withDefinitions } from './definitions.js';
import { DIALECTS, type SchemaDialect } from './dialect.js';
import { withWords, wordsFor } from './moved-words.js';

/**
 * A schema of an object in a provider's dialect, for telling a model what to write: whatever the provider would refuse
 * or pass over becomes words of a description. It allows at least what the original does; arguments are validated
 * against the original.
 */
export function looseSchema(root: JsonObject, dialect: SchemaDialect): JsonObject {
  const { understood } = DIALECTS[dialect];
  return withTop(understood === null ? root : narrowed(root, dialect), dialect);
}

/** The top is an object with properties, without what is refused there; the fields of alternatives can be told still. */
function withTop(root: JsonObject, dialect: SchemaDialect): JsonObject {
  const properties = { ...namedUnder(root, 'properties') };
  const top: JsonObject = { ...root, type: 'object', properties };
  const words: (string | null)[] = [];
  for (const keyword of DIALECTS[dialect].refusedAtTheTop) {
    const refused = ownValue(root, keyword);
    if (refused === undefined) continue;
    words.push(wordsFor(keyword, refused));
    delete top[keyword];
    if (keyword === 'enum') continue;
    for (const form of listedUnder(root, keyword)) {
      for (const [name, field] of Object.entries(namedUnder(form, 'properties'))) {
        if (!Object.hasOwn(properties, name)) setOwn(properties, name, field);
      }
    }
  }
  return withWords(top, words);
}

/** With the keywords that the dialect understands alone. */
function narrowed(root: JsonObject, dialect: SchemaDialect): JsonObject {
  const { schema, definitions } = withDefinitions(root);
  const narrow = (child: JsonValue): JsonValue => narrowedNode(child, dialect, narrow);
  const top = narrowedNode(schema, dialect, narrow);
  if (definitions.size === 0) return top;
  const $defs: JsonObject = {};
  for (const [name, definition] of definitions) setOwn($defs, name, narrow(definition));
  return { ...top, $defs };
}

function narrowedNode(
  given: JsonValue,
  dialect: SchemaDialect,
  narrow: (child: JsonValue) => JsonValue,
): JsonObject {
  if (given === false) return { description: '(must not be given)' };
  if (!isJsonObject(given)) return {};
  const { understood, formats } = DIALECTS[dialect];
  const node = withPlainValues(given);
  const kept: JsonObject = {};
  const words: (string | null)[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    const isForeign = keyword === 'format' && formats !== null && !formats.has(String(value));
    if (understood?.has(keyword) && !isForeign) setOwn(kept, keyword, value);
    else words.push(wordsFor(keyword, value));
  }
  const told = withWords(mapSubschemas(kept, narrow), words);
  const additional = ownValue(kept, 'additionalProperties');
  // The one place where true and false are understood as they stand.
  if (typeof additional === 'boolean') told.additionalProperties = additional;
  return '$ref' in told && Object.keys(told).length > 1 ? wrappedReference(told) : told;
}

/** Nothing may stand beside a reference. */
function wrappedReference({ $ref = null, ...beside }: JsonObject): JsonObject {
  return 'anyOf' in beside ? beside : { ...beside, anyOf: [{ $ref }] };
}

/**
 * `const` as a list of one, `nullable` as a type, and in a list only what fits the type. Texts and numbers may be
 * listed; null becomes a form of its own; a list with anything else becomes words.
 */
function withPlainValues(given: JsonObject): JsonObject {
  const { const: constant, nullable, ...rest } = given;
  const type = ownValue(rest, 'type');
  const withNull = nullable === true && typeof type === 'string' ? { ...rest, type: [type, 'null'] } : rest;
  const listed = constant === undefined ? ownValue(withNull, 'enum') : [constant];
  if (!Array.isArray(listed)) return withNull;
  const fitting = listed.filter((value) => withNull.type === undefined || fitsType(value, withNull.type));
  const plain = fitting.filter((value) => isListable(value));
  const others = fitting.filter((value) => !isListable(value) && value !== null);
  const { enum: _, ...free } = withNull;
  if (others.length > 0) return withWords(free, [wordsFor('one of', fitting)]);
  if (!fitting.includes(null)) return { ...free, enum: plain };
  const { type: __, ...untyped } = free;
  const bare = [free.type ?? []].flat().filter((name) => name !== 'null');
  const form: JsonObject = {
    ...(bare.length > 0 && { type: bare.length === 1 ? (bare[0] ?? null) : bare }),
    enum: plain,
  };
  return plain.length === 0 ? { ...untyped, type: 'null' } : { ...untyped, anyOf: [form, { type: 'null' }] };
}

function isListable(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || isLosslessNumber(value);
}
