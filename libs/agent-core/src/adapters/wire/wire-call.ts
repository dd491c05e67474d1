import { createHash } from 'node:crypto';
import { isObjectText } from './wire-value.js';

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

/** Servers that parse the history's arguments (vLLM) fail on what is no object: such text goes back inside one. */
export function wireArguments(text: string): string {
  if (text.trim() === '') return '{}';
  return isObjectText(text) ? text : JSON.stringify({ unreadable_arguments: text });
}
