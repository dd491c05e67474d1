import { isLosslessNumber } from 'lossless-json';
import { writeJson } from '../../shared/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../shared/json.js';
import { fitsType } from '../schema-types.js';
import { namedUnder, stringsUnder } from '../subschemas.js';
import { withDefinitions } from './definitions.js';
import { withWords, wordsFor } from './moved-words.js';

/** OpenAI's limits of strict schemas (Structured Outputs, Supported schemas). */
const MOST = { fields: 5000, depth: 10, listed: 1000, characters: 120_000 };
const FIELD_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Keywords that allow what a strict schema cannot say, or forbid what only a whole object shows. */
const BEYOND = [
  'allOf',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'patternProperties',
  'prefixItems',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** Keywords that are translated; all others become words. */
const TRANSLATED = new Set([
  '$ref',
  'additionalProperties',
  'anyOf',
  'const',
  'description',
  'enum',
  'items',
  'nullable',
  'oneOf',
  'properties',
  'required',
  'type',
]);

/** Thrown within this file where strict mode cannot hold. */
class CannotBeStrict extends Error {}

/**
 * The strict form of a schema, or null where it has none: every object is closed, every field required, and a field
 * that was optional may be null instead. Whoever keeps to it keeps to the original, save for limits (lengths, bounds,
 * patterns, formats), which are told in words. It has none where an object is open or a map, where a value has no
 * type, and where an optional field stands under alternatives: its null could not be told from a wrong form.
 */
export function strictSchema(root: JsonObject): JsonObject | null {
  const { schema, definitions } = withDefinitions(root);
  try {
    return new StrictTranslation(definitions).translateRoot(schema);
  } catch (error) {
    if (error instanceof CannotBeStrict) return null;
    throw error;
  }
}

interface Place {
  readonly depth: number;
  /** Whether it stands under alternatives. */
  readonly isAlternative: boolean;
}

class StrictTranslation {
  private fields = 0;
  private listed = 0;
  private characters = 0;
  /** Definitions by name; null while one is being translated. */
  private readonly translated = new Map<string, JsonObject | null>();
  private readonly seen = new Set<string>();

  constructor(private readonly definitions: ReadonlyMap<string, JsonObject>) {}

  translateRoot(schema: JsonObject): JsonObject {
    const isFree = !('properties' in schema) && ownValue(schema, 'additionalProperties') !== false;
    if (isFree) throw new CannotBeStrict();
    if (['anyOf', 'oneOf', 'enum', 'const', '$ref'].some((keyword) => keyword in schema)) {
      throw new CannotBeStrict();
    }
    const told = this.object(schema, { depth: 1, isAlternative: false });
    if (this.translated.size === 0) return told;
    const $defs: JsonObject = {};
    for (const [name, definition] of this.translated) setOwn($defs, name, definition);
    return { ...told, $defs };
  }

  private translate(given: JsonValue, place: Place): JsonObject {
    if (!isJsonObject(given) || place.depth > MOST.depth) throw new CannotBeStrict();
    if (BEYOND.some((keyword) => keyword in given)) throw new CannotBeStrict();
    const forms = ownValue(given, 'anyOf') ?? ownValue(given, 'oneOf');
    if (typeof ownValue(given, '$ref') === 'string') return this.reference(given, place);
    if (Array.isArray(forms)) return this.alternatives(given, forms, place);
    const listed = ownValue(given, 'const') === undefined ? ownValue(given, 'enum') : [given.const ?? null];
    if (Array.isArray(listed)) return this.list(given, listed);
    const types = typesOf(given);
    if (types.length > 1 && types.some((type) => type === 'object' || type === 'array')) {
      const each = types.map((type) => ({ ...given, type, nullable: false }));
      return this.alternatives({ description: given.description ?? '' }, each, place);
    }
    switch (types[0]) {
      case undefined:
        throw new CannotBeStrict();
      case 'object':
        return this.object(given, place);
      case 'array':
        return this.told(given, { type: 'array', items: this.translate(given.items ?? null, deeper(place)) });
      default:
        return this.told(given, { type: oneOrAll(types) });
    }
  }

  private object(given: JsonObject, place: Place): JsonObject {
    const properties = namedUnder(given, 'properties');
    const names = Object.keys(properties);
    const isClosed = ownValue(given, 'additionalProperties') === false;
    const isOpen = !isClosed && 'additionalProperties' in given;
    if (BEYOND.some((keyword) => keyword in given) || isOpen) throw new CannotBeStrict();
    if (names.length === 0 && !isClosed && place.depth > 1) throw new CannotBeStrict();
    const required = stringsUnder(given, 'required');
    if (required.some((name) => !Object.hasOwn(properties, name))) throw new CannotBeStrict();
    this.count(names);
    const told: JsonObject = {};
    for (const [name, field] of Object.entries(properties)) {
      if (!FIELD_NAME.test(name)) throw new CannotBeStrict();
      const isOptional = !required.includes(name);
      if (isOptional && place.isAlternative) throw new CannotBeStrict();
      const translated = this.translate(field, deeper(place));
      setOwn(told, name, isOptional ? orNull(translated) : translated);
    }
    return this.told(given, {
      type: 'object',
      properties: told,
      required: names,
      additionalProperties: false,
    });
  }

  private reference(given: JsonObject, place: Place): JsonObject {
    const name = String(given.$ref).replace('#/$defs/', '');
    this.define(name, place);
    const reference: JsonObject = { $ref: `#/$defs/${name}` };
    const isAlone = Object.keys(given).every((keyword) => keyword === '$ref');
    return isAlone ? reference : this.told(given, { anyOf: [reference] });
  }

  private define(name: string, { isAlternative }: Place): void {
    const key = `${isAlternative} ${name}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const definition = this.definitions.get(name);
    if (definition === undefined) throw new CannotBeStrict();
    if (!this.translated.has(name)) this.translated.set(name, null);
    this.translated.set(name, this.translate(definition, { depth: 2, isAlternative }));
  }

  private alternatives(given: JsonObject, forms: readonly JsonValue[], place: Place): JsonObject {
    const besides = ['type', 'properties', 'items', 'required', 'additionalProperties', 'enum', 'const'];
    if (besides.some((keyword) => keyword in given) || (given.anyOf && given.oneOf))
      throw new CannotBeStrict();
    const meant = forms.filter((form) => !isNullForm(form));
    const isAlternative = place.isAlternative || meant.length > 1;
    const anyOf: JsonValue[] = meant.map((form) => this.translate(form, { ...place, isAlternative }));
    if (anyOf.length === 0) throw new CannotBeStrict();
    if (meant.length < forms.length) anyOf.push({ type: 'null' });
    const [only] = anyOf;
    const isBare = anyOf.length === 1 && isJsonObject(only) && !('description' in given);
    return isBare ? only : this.told(given, { anyOf });
  }

  private list(given: JsonObject, listed: readonly JsonValue[]): JsonObject {
    const declared = typesOf(given);
    const fitting = listed.filter((value) => declared.length === 0 || fitsType(value, [...declared]));
    if (fitting.length === 0 || fitting.some((value) => typeof value === 'object' && !isScalar(value))) {
      throw new CannotBeStrict();
    }
    this.listed += fitting.length;
    this.count(fitting.map((value) => writeJson(value)));
    const types = [...new Set(fitting.map(typeOf))];
    return this.told(given, { type: oneOrAll(types), enum: fitting });
  }

  /** Takes the description along, and says in words what strict schemas do not know. */
  private told(given: JsonObject, strict: JsonObject): JsonObject {
    const words = Object.entries(given).map(([keyword, value]) =>
      TRANSLATED.has(keyword) ? null : wordsFor(keyword, value),
    );
    const description = ownValue(given, 'description');
    const said: JsonObject = typeof description === 'string' && description !== '' ? { description } : {};
    return withWords({ ...said, ...strict }, words);
  }

  private count(texts: readonly string[]): void {
    this.fields += texts.length;
    this.characters += texts.reduce((sum, text) => sum + text.length, 0);
    const isTooMuch =
      this.fields > MOST.fields || this.listed > MOST.listed || this.characters > MOST.characters;
    if (isTooMuch) throw new CannotBeStrict();
  }
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function typesOf(schema: JsonObject): readonly string[] {
  const type = ownValue(schema, 'type');
  const types = [type ?? []].flat().filter((name): name is string => typeof name === 'string');
  return ownValue(schema, 'nullable') === true && types.length > 0 ? [...new Set([...types, 'null'])] : types;
}

function oneOrAll(types: readonly string[]): JsonValue {
  return types.length === 1 ? (types[0] ?? null) : [...types];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  return fitsType(value, 'integer') ? 'integer' : 'number';
}

/** `null` and lossless numbers are objects to JavaScript. */
function isScalar(value: JsonValue): boolean {
  return value === null || isLosslessNumber(value);
}

function isNullForm(form: JsonValue): boolean {
  return isJsonObject(form) && (form.type === 'null' || form.const === null);
}

/** The same, or null. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: listed, anyOf, description } = schema;
  if (Array.isArray(anyOf)) {
    return anyOf.some(isNullForm) ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  }
  const isWhole = type === undefined || type === 'object' || type === 'array';
  if (isWhole) {
    const { description: _, ...form } = schema;
    return { ...(description !== undefined && { description }), anyOf: [form, { type: 'null' }] };
  }
  const types = [type].flat();
  if (types.includes('null')) return schema;
  const nullable: JsonObject = { ...schema, type: [...types, 'null'] };
  return Array.isArray(listed) ? { ...nullable, enum: [...listed, null] } : nullable;
}
