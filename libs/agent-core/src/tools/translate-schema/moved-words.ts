import { writeJson } from '../../shared/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../shared/json.js';
import { cutText } from '../../shared/text.js';

/** Keywords that say nothing to a model. */
const SILENT = new Set([
  '$anchor',
  '$comment',
  '$id',
  '$schema',
  '$vocabulary',
  'definitions',
  'id',
  'nullable',
  'readOnly',
  'title',
  'writeOnly',
]);
const LONGEST_WORDS = 1000;

/** A keyword that a provider does not take, as words for the description; null where it says nothing. */
export function wordsFor(keyword: string, value: JsonValue): string | null {
  const isNothing = value === null || (isJsonObject(value) && Object.keys(value).length === 0);
  if (SILENT.has(keyword) || isNothing) return null;
  const text = typeof value === 'string' ? value : writeJson(value);
  return cutText(`${keyword}: ${text}`, LONGEST_WORDS).text;
}

/** The schema with words behind its description. */
export function withWords(schema: JsonObject, words: readonly (string | null)[]): JsonObject {
  const said = words.filter((word) => word !== null);
  if (said.length === 0) return schema;
  const description = ownValue(schema, 'description');
  const before = typeof description === 'string' && description !== '' ? `${description} ` : '';
  const copy = { ...schema };
  setOwn(copy, 'description', `${before}(${said.join('; ')})`);
  return copy;
}
