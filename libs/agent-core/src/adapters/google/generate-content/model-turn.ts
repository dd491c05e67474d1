import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, readJson } from '../../../shared/json.js';
import { wellFormed } from '../../../shared/text.js';
import { argumentsValue } from '../arguments-value.js';
import type { FunctionNames } from '../function-names.js';
import { asObject, listAt, objectAt, textAt } from '../wire-value.js';
import { API } from './reply-assembly.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

/** How a call is named on the wire: its result repeats it. The id is empty where Google gave none. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
}

export interface WireTurn {
  /** JSON texts of parts with commas between; empty where there is nothing to say. */
  readonly parts: string;
  /** By our call ids. */
  readonly calls: ReadonlyMap<string, WireCall>;
}

/**
 * Google's own placeholder for a signature that it never gave: models that check signatures (Gemini 3 and later) refuse
 * a turn whose first call has none, as other providers and older models write them. Older models take it as well.
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A model's turn: its parts as they came where this API wrote them (invariant I9), else made of its text and calls. */
export function wireTurn(item: Assistant, names: FunctionNames): WireTurn {
  return encodedTurn(item, JSON.stringify(item.calls.map(({ tool }) => names.toWire(tool))));
}

/** `wireNames` is the list of the names of the turn's calls. */
const encodedTurn = encodeOnce<WireTurn>((item, wireNames) => {
  if (item.role !== 'assistant') return { parts: '', calls: new Map() };
  return replayed(item) ?? written(item, JSON.parse(wireNames) as readonly string[]);
});

function replayed(item: Assistant): WireTurn | null {
  const raw = item.raw.find(({ provider, api }) => provider === 'google' && api === API);
  const given = raw === undefined ? [] : listAt(asObject(readJson(raw.json)), 'parts');
  const parts = given.map(asObject).filter((part) => part !== null);
  const named = parts.flatMap(callOfPart);
  // Google would not take back a call without a name.
  if (parts.length === 0 || named.some(({ name }) => name === '')) return null;
  const calls = item.calls.map(({ callId, tool }, position) => {
    return [callId, named[position] ?? { id: callId, name: tool }] as const;
  });
  return { parts: textOf(parts), calls: new Map(calls) };
}

function callOfPart(part: JsonObject): readonly WireCall[] {
  const call = objectAt(part, 'functionCall');
  return call === null ? [] : [{ id: textAt(call, 'id'), name: textAt(call, 'name') }];
}

function written(item: Assistant, wireNames: readonly string[]): WireTurn {
  const parts: JsonObject[] = item.text === '' ? [] : [{ text: wellFormed(item.text) }];
  const calls = new Map<string, WireCall>();
  for (const [position, { callId, tool, arguments: text }] of item.calls.entries()) {
    const name = wireNames[position] ?? tool;
    parts.push({ functionCall: { id: callId, name, args: argumentsValue(text) } });
    calls.set(callId, { id: callId, name });
  }
  return { parts: textOf(parts), calls };
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
