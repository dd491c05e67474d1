import { createHash } from 'node:crypto';
import { isJsonObject, parseJson } from '../../shared/json.js';

const LONGEST_NAME = 64;

/**
 * A call's id as a provider takes it, the same in a call and its result: a fallback inherits the ids of another, and
 * what is not `accepted` becomes an id of its own kind.
 */
export function wireCallId(id: string, accepted: RegExp): string {
  return accepted.test(id)
    ? id
    : `call_${createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, 35)}`;
}

/** A model may call what it was never given, under any name; the history of that must still be accepted (I11). */
export function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed';
}

/**
 * Arguments as JSON text of an object. Anthropic, and servers that parse the history (vLLM), refuse the whole request for
 * what is none, or is too deep: text that no call could have run with goes back inside an object.
 */
export function wireArguments(text: string): string {
  if (text.trim() === '') return '{}';
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? text : JSON.stringify({ unreadable_arguments: text });
}
