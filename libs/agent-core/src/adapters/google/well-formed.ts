import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../shared/json.js';
import { wellFormed } from '../../shared/text.js';

/**
 * A value without lone surrogates, its keys included. Google's APIs are protobuf behind JSON: their strings are UTF-8,
 * which has none, and a request with one in it is refused whole.
 */
export function wellFormedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (!isJsonObject(value)) return value;
  const formed: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(formed, wellFormed(key), wellFormedValue(item));
  return formed;
}
