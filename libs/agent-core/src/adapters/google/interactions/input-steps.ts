import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, readJson } from '../../../shared/json.js';
import { wellFormed } from '../../../shared/text.js';
import { argumentsValue } from '../arguments-value.js';
import type { FunctionNames } from '../function-names.js';
import { asObject, listAt, textAt } from '../wire-value.js';
import { API } from './reply-assembly.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

/** How a call is named on the wire: its result repeats it. */
interface WireCall {
  readonly id: string;
  readonly name: string;
}

interface WireTurn {
  /** JSON texts of steps with commas between; empty where there is nothing to say. */
  readonly steps: string;
  /** By our call ids. */
  readonly calls: ReadonlyMap<string, WireCall>;
}

/** The conversation as JSON texts of `Step`, in its order: nothing of it is stored at Google. */
export function stepTexts(
  conversation: readonly ConversationItem[],
  names: FunctionNames,
): readonly string[] {
  const steps: string[] = [];
  let calls: WireTurn['calls'] = new Map();
  for (const item of conversation) {
    switch (item.role) {
      case 'user':
        steps.push(inputStep(item, ''));
        break;
      case 'tool': {
        const call = calls.get(item.callId) ?? { id: item.callId, name: names.toWire(item.tool) };
        steps.push(resultStep(item, JSON.stringify(call)));
        break;
      }
      case 'assistant': {
        const turn = encodedTurn(item, JSON.stringify(item.calls.map(({ tool }) => names.toWire(tool))));
        calls = turn.calls;
        if (turn.steps !== '') steps.push(turn.steps);
      }
    }
  }
  return steps;
}

const inputStep = encodeOnce(({ text }) =>
  JSON.stringify({ type: 'user_input', content: [textContent(text)] }),
);

const resultStep = encodeOnce((item, call) => {
  const { id, name } = JSON.parse(call) as WireCall;
  const isError = item.role === 'tool' && item.isError;
  const result = wellFormed(item.text);
  return JSON.stringify({
    type: 'function_result',
    call_id: id,
    name,
    ...(isError && { is_error: true }),
    result,
  });
});

/** `wireNames` is the list of the names of the turn's calls. */
const encodedTurn = encodeOnce<WireTurn>((item, wireNames) => {
  if (item.role !== 'assistant') return { steps: '', calls: new Map() };
  return replayed(item) ?? written(item, JSON.parse(wireNames) as readonly string[]);
});

/** The turn as it came where this API wrote it (invariant I9). */
function replayed(item: Assistant): WireTurn | null {
  const raw = item.raw.find(({ provider, api }) => provider === 'google' && api === API);
  const given = raw === undefined ? [] : listAt(asObject(readJson(raw.json)), 'steps');
  const steps = given.map(asObject).filter((step) => step !== null);
  const named = steps.filter((step) => textAt(step, 'type') === 'function_call');
  // Google would not take back a call without a name or an id.
  const isWhole = named.every((step) => textAt(step, 'id') !== '' && textAt(step, 'name') !== '');
  if (steps.length === 0 || !isWhole) return null;
  const calls = item.calls.map(({ callId, tool }, position) => {
    const step = named[position];
    const call =
      step === undefined
        ? { id: callId, name: tool }
        : { id: textAt(step, 'id'), name: textAt(step, 'name') };
    return [callId, call] as const;
  });
  return { steps: steps.map(writeJson).join(','), calls: new Map(calls) };
}

function written(item: Assistant, wireNames: readonly string[]): WireTurn {
  const steps: JsonObject[] =
    item.text === '' ? [] : [{ type: 'model_output', content: [textContent(item.text)] }];
  const calls = new Map<string, WireCall>();
  for (const [position, { callId: id, tool, arguments: text }] of item.calls.entries()) {
    const name = wireNames[position] ?? tool;
    steps.push({ type: 'function_call', id, name, arguments: argumentsValue(text) });
    calls.set(id, { id, name });
  }
  return { steps: steps.map(writeJson).join(','), calls };
}

/** Google refuses an empty text. */
function textContent(text: string) {
  return { type: 'text', text: wellFormed(text) || ' ' };
}
