import type { JsonText } from '../../shared/brand.js';
import { writeJson } from '../../shared/canonical-json.js';
import { isJsonObject, type JsonObject, readJson } from '../../shared/json.js';
import type { JsonProblem } from '../../shared/json-problem.js';
import { pointerBelow } from '../../shared/pointer.js';
import { namedUnder } from '../subschemas.js';
import { DIALECTS, type SchemaDialect } from './dialect.js';
import { looseSchema } from './loose-schema.js';
import { strictSchema } from './strict-schema.js';

/** A tool's parameters as a provider takes them. */
export interface ToldSchema {
  readonly parameters: JsonText;
  /**
   * Whether the provider can be held to it: every field is written then, null where it is optional and left out
   * (`normalizeArguments` takes such nulls out).
   */
  readonly strict: boolean;
}

const MOST_REMEMBERED = 1000;
const told = new Map<string, ToldSchema>();

/**
 * Translates a tool's parameters, a JSON Schema that `compileSchema` accepts, for one provider. Never throws; the last
 * thousand translations are kept.
 */
export function toldSchema(parameters: JsonText, dialect: SchemaDialect): ToldSchema {
  const key = `${dialect} ${parameters}`;
  const known = told.get(key);
  if (known !== undefined) return known;
  const made = translate(parameters, dialect);
  if (told.size >= MOST_REMEMBERED) told.clear();
  told.set(key, made);
  return made;
}

function translate(parameters: JsonText, dialect: SchemaDialect): ToldSchema {
  const root = readJson(parameters);
  const schema: JsonObject = isJsonObject(root) ? root : {};
  const strict = DIALECTS[dialect].hasStrictMode ? strictSchema(schema) : null;
  return { parameters: writeJson(strict ?? looseSchema(schema, dialect)), strict: strict !== null };
}

/** What keeps a tool's parameters from being told to a provider at all. Paths are pointers into the schema. */
export function untellable(parameters: JsonText, dialect: SchemaDialect): readonly JsonProblem[] {
  const { argumentName } = DIALECTS[dialect];
  const root = readJson(parameters);
  return Object.keys(isJsonObject(root) ? namedUnder(root, 'properties') : {})
    .filter((name) => !argumentName.test(name))
    .map((name) => ({
      path: pointerBelow('/properties', name),
      message: `is a name that it refuses: it takes ${argumentName.source}`,
    }));
}
