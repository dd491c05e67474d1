import {
  isJsonObject,
  type JsonObject,
  type JsonText,
  type JsonValue,
  ownValue,
  parseJson,
  writeJson,
} from '@countersign/agent-core';
import { ANSWER_MAX_BYTES } from './signed-call.js';

/** What an answer's body holds of a problem's detail at most, in characters. */
const DETAIL_MAX_CHARACTERS = 2_000;

/**
 * A successful answer as JSON text, as it came (invariant I12). What is no JSON has run all the same, so words say that,
 * with the text as far as there is one: never empty, since a model reads it.
 */
export function outputOf(body: Uint8Array, cut: boolean): JsonText {
  const text = textOf(body);
  if (text === null)
    return words(`The tool ran. Its answer (${body.byteLength} bytes) is not readable text.`);
  if (text.trim() === '') return words('The tool ran and answered without content.');
  if (cut) {
    return words(
      `The tool ran. Its answer was longer than ${ANSWER_MAX_BYTES} bytes, and only its beginning is kept:\n${text}`,
    );
  }
  if (parsed(text) !== undefined) return text.trim() as JsonText;
  return words(`The tool ran. Its answer is not valid JSON:\n${text}`);
}

/** The `detail` of a problem document, or null: untrusted text of the tool, cut to 2,000 characters. */
export function problemDetailOf(body: Uint8Array): string | null {
  const detail = memberOf(objectOf(body), 'detail');
  if (typeof detail !== 'string' || detail.trim() === '') return null;
  const characters = [...detail];
  if (characters.length <= DETAIL_MAX_CHARACTERS) return detail;
  return `${characters.slice(0, DETAIL_MAX_CHARACTERS).join('')} [cut]`;
}

/** A member of the answer, where the answer is a JSON object that has it. */
export function memberOf(answer: JsonObject | null, name: string): JsonValue | undefined {
  return answer === null ? undefined : ownValue(answer, name);
}

/** The answer as a JSON object, or null where it is none. */
export function objectOf(body: Uint8Array): JsonObject | null {
  const value = parsed(textOf(body) ?? '');
  return isJsonObject(value) ? value : null;
}

/** JSON text of a member: its keys in their order, its numbers as they came. */
export function memberText(value: JsonValue): JsonText {
  return writeJson(value);
}

function words(text: string): JsonText {
  return JSON.stringify(text) as JsonText;
}

/** Valid UTF-8 as text; a cut within the last character is forgiven, and null stands for anything else. */
function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
  } catch {
    return null;
  }
}

function parsed(text: string): JsonValue | undefined {
  const result = parseJson(text);
  return result.ok ? result.value : undefined;
}
