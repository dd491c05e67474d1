import { isJsonObject, type JsonText, ownValue, readJson } from '@countersign/agent-core';
import { plainText } from './plain-text.js';

/** The `id` of a run's subject, by which lists are filtered. Null where there is no subject, or none with a text as id. */
export function subjectId(subject: JsonText | null): string | null {
  const value = subject === null ? null : readJson(subject);
  const id = value !== null && isJsonObject(value) ? ownValue(value, 'id') : null;
  return typeof id === 'string' ? plainText(id) : null;
}
