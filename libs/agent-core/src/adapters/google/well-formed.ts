import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../shared/json.js';

/**
 * A text without lone surrogates. Google's APIs are protobuf behind JSON: their strings are UTF-8, which has none, and
 * a request with one in it is refused whole.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The same for every key and text within a value. */
export function wellFormedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (!isJsonObject(value)) return value;
  const formed: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(formed, wellFormed(key), wellFormedValue(item));
  return formed;
}
