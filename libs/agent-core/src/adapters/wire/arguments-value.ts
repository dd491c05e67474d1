import { isJsonObject, type JsonObject, type JsonValue, parseJson, setOwn } from '../../shared/json.js';
import { wellFormed } from '../../shared/text.js';

/**
 * A call's arguments as they stand in a history for a provider that takes no lone surrogates: Google's APIs are protobuf
 * behind JSON, whose strings are UTF-8, and Anthropic takes them for broken JSON; both refuse the whole request. Text
 * that is no JSON object goes back inside one.
 */
export function argumentsValue(text: string): JsonValue {
  const parsed = parseJson(text.trim() === '' ? '{}' : text);
  return wellFormedValue(
    parsed.ok && isJsonObject(parsed.value) ? parsed.value : { unreadable_arguments: text },
  );
}

function wellFormedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (!isJsonObject(value)) return value;
  const formed: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(formed, wellFormed(key), wellFormedValue(item));
  return formed;
}
