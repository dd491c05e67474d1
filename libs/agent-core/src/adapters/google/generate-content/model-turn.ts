import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, readJson } from '../../../shared/json.js';
import { wellFormed } from '../../../shared/text.js';
import { argumentsValue } from '../../wire/arguments-value.js';
import type { FunctionNames } from '../function-names.js';
import { googleCallId, replayedCall } from '../replayed-call.js';
import { asObject, listAt, objectAt, textAt } from '../wire-value.js';
import { API } from './reply-assembly.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

/**
 * Google's own placeholder for a signature that it never gave: models that check signatures (Gemini 3 and later) refuse
 * a turn whose first call has none, as other providers and older models write them. Older models take it as well.
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/**
 * A model's turn as JSON texts of parts with commas between; empty where there is nothing to say. Its parts go back as
 * they came where this API wrote them (invariant I9), else they are made of its text and calls.
 */
export function partTexts(item: Assistant, names: FunctionNames): string {
  return encodedTurn(item, JSON.stringify(item.calls.map(({ tool }) => names.toWire(tool))));
}

/** `wireNames` is the list of the names of the turn's calls. */
const encodedTurn = encodeOnce((item, wireNames) => {
  if (item.role !== 'assistant') return '';
  const named = JSON.parse(wireNames) as readonly string[];
  return textOf(replayed(item, named) ?? written(item, named));
});

/** Null where there is nothing to replay, or where it does not hold the calls of this turn. */
function replayed(item: Assistant, wireNames: readonly string[]): readonly JsonObject[] | null {
  const raw = item.raw.find(({ provider, api }) => provider === 'google' && api === API);
  const given = raw === undefined ? [] : listAt(asObject(readJson(raw.json)), 'parts');
  const parts = given.map(asObject).filter((part) => part !== null);
  const count = parts.filter((part) => objectAt(part, 'functionCall') !== null).length;
  if (parts.length === 0 || count !== item.calls.length) return null;
  let position = -1;
  return parts.map((part) => {
    const came = objectAt(part, 'functionCall');
    if (came === null) return part;
    position += 1;
    const call = item.calls[position];
    if (call === undefined) return part;
    const name = wireNames[position] ?? call.tool;
    return { ...part, functionCall: replayedCall(came, call, { name, field: 'args' }) };
  });
}

function written(item: Assistant, wireNames: readonly string[]): readonly JsonObject[] {
  const text = item.text === '' ? [] : [{ text: wellFormed(item.text) }];
  const calls = item.calls.map(({ callId, tool, arguments: args }, position) => ({
    functionCall: {
      id: googleCallId(callId),
      name: wireNames[position] ?? tool,
      args: argumentsValue(args),
    },
  }));
  return [...text, ...calls];
}

/** The parts' texts, with a signature on the first call. */
function textOf(parts: readonly JsonObject[]): string {
  const first = parts.find((part) => 'functionCall' in part);
  return parts
    .map((part) => (part === first && textAt(part, 'thoughtSignature') === '' ? signed(part) : part))
    .map(writeJson)
    .join(',');
}

function signed(part: JsonObject): JsonObject {
  return { ...part, thoughtSignature: NO_SIGNATURE };
}
