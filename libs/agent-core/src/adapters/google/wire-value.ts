import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../../shared/json.js';

/** Readers of values whose shape Google promised and may not keep. None of them throws; digits stay as they came. */

export function objectAt(value: JsonObject | null, key: string): JsonObject | null {
  return value === null ? null : asObject(ownValue(value, key));
}

export function listAt(value: JsonObject | null, key: string): readonly JsonValue[] {
  const list = value === null ? undefined : ownValue(value, key);
  return Array.isArray(list) ? list : [];
}

export function textAt(value: JsonObject | null, key: string): string {
  const text = value === null ? undefined : ownValue(value, key);
  return typeof text === 'string' ? text : '';
}

/** A count of tokens: a safe integer that is not negative, else null. */
export function countAt(value: JsonObject | null, key: string): number | null {
  const count = value === null ? undefined : ownValue(value, key);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

export function asObject(value: JsonValue | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null;
}
