import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, readJson } from '../../../shared/json.js';
import type { FunctionNames } from '../function-names.js';
import { wellFormed, wellFormedValue } from '../well-formed.js';
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
 * a turn whose first call has none, and a history may hold another provider's turns.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A model's turn: its parts as they came where this API wrote them (invariant I9), else made of its text and calls. */
export function wireTurn(item: Assistant, names: FunctionNames, model: string): WireTurn {
  const wireNames = item.calls.map(({ tool }) => names.toWire(tool));
  const style: Style = { wireNames, signs: !/\bgemini-[12]/.test(model) };
  return encodedTurn(item, JSON.stringify(style));
}

interface Style {
  /** The names of the turn's calls. */
  readonly wireNames: readonly string[];
  /** Whether the model wants to see signatures. */
  readonly signs: boolean;
}

const encodedTurn = encodeOnce<WireTurn>((item, style) => {
  if (item.role !== 'assistant') return { parts: '', calls: new Map() };
  return replayed(item) ?? written(item, JSON.parse(style) as Style);
});

function replayed(item: Assistant): WireTurn | null {
  const raw = item.raw.find(({ provider, api }) => provider === 'google' && api === API);
  const parts = raw === undefined ? [] : listAt(asObject(readJson(raw.json)), 'parts');
  const named = parts.flatMap(callOfPart);
  // Google would not take back a call without a name.
  if (parts.length === 0 || named.some(({ name }) => name === '')) return null;
  const calls = item.calls.map(({ callId, tool }, position) => {
    return [callId, named[position] ?? { id: callId, name: tool }] as const;
  });
  return { parts: parts.map(writeJson).join(','), calls: new Map(calls) };
}

function callOfPart(part: JsonValue): readonly WireCall[] {
  const call = objectAt(asObject(part), 'functionCall');
  return call === null ? [] : [{ id: textAt(call, 'id'), name: textAt(call, 'name') }];
}

function written(item: Assistant, { wireNames, signs }: Style): WireTurn {
  const parts = item.text === '' ? [] : [JSON.stringify({ text: wellFormed(item.text) })];
  const calls = new Map<string, WireCall>();
  for (const [position, { callId, tool, arguments: text }] of item.calls.entries()) {
    const name = wireNames[position] ?? tool;
    const functionCall = { id: callId, name, args: argsOf(text) };
    const signature: JsonObject = signs && position === 0 ? { thoughtSignature: NO_SIGNATURE } : {};
    parts.push(writeJson({ functionCall, ...signature }));
    calls.set(callId, { id: callId, name });
  }
  return { parts: parts.join(','), calls };
}

/** Text that is no JSON object goes back inside one. */
function argsOf(text: string): JsonValue {
  const parsed = parseJson(text.trim() === '' ? '{}' : text);
  return wellFormedValue(
    parsed.ok && isJsonObject(parsed.value) ? parsed.value : { unreadable_arguments: text },
  );
}
