import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, readJson } from '../../../shared/json.js';
import { wellFormed } from '../../../shared/text.js';
import { argumentsValue } from '../../wire/arguments-value.js';
import type { FunctionNames } from '../function-names.js';
import { googleCallId, replayedCall } from '../replayed-call.js';
import { asObject, listAt, textAt } from '../wire-value.js';
import { API } from './reply-assembly.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

/** The conversation as JSON texts of `Step`, in its order: nothing of it is stored at Google. */
export function stepTexts(
  conversation: readonly ConversationItem[],
  names: FunctionNames,
): readonly string[] {
  const steps: string[] = [];
  for (const item of conversation) {
    switch (item.role) {
      case 'user':
        steps.push(inputStep(item, ''));
        break;
      case 'tool':
        steps.push(resultStep(item, names.toWire(item.tool)));
        break;
      case 'assistant': {
        const turn = encodedTurn(item, JSON.stringify(item.calls.map(({ tool }) => names.toWire(tool))));
        if (turn !== '') steps.push(turn);
      }
    }
  }
  return steps;
}

const inputStep = encodeOnce(({ text }) =>
  JSON.stringify({ type: 'user_input', content: [textContent(text)] }),
);

const resultStep = encodeOnce((item, name) => {
  if (item.role !== 'tool') return '';
  return JSON.stringify({
    type: 'function_result',
    call_id: googleCallId(item.callId),
    name,
    ...(item.isError && { is_error: true }),
    result: wellFormed(item.text),
  });
});

/** A turn as JSON texts of steps with commas between. `wireNames` is the list of the names of its calls. */
const encodedTurn = encodeOnce((item, wireNames) => {
  if (item.role !== 'assistant') return '';
  const named = JSON.parse(wireNames) as readonly string[];
  return (replayed(item, named) ?? written(item, named)).map(writeJson).join(',');
});

/**
 * The turn as it came where this API wrote it (invariant I9). Null where there is nothing to replay, or where it does
 * not hold the calls of this turn.
 */
function replayed(item: Assistant, wireNames: readonly string[]): readonly JsonObject[] | null {
  const raw = item.raw.find(({ provider, api }) => provider === 'google' && api === API);
  const given = raw === undefined ? [] : listAt(asObject(readJson(raw.json)), 'steps');
  const steps = given.map(asObject).filter((step) => step !== null);
  if (steps.length === 0 || steps.filter(isCall).length !== item.calls.length) return null;
  let position = -1;
  return steps.map((step) => {
    if (!isCall(step)) return step;
    position += 1;
    const call = item.calls[position];
    if (call === undefined) return step;
    return replayedCall(step, call, { name: wireNames[position] ?? call.tool, field: 'arguments' });
  });
}

function isCall(step: JsonObject): boolean {
  return textAt(step, 'type') === 'function_call';
}

function written(item: Assistant, wireNames: readonly string[]): readonly JsonObject[] {
  const words = item.text === '' ? [] : [{ type: 'model_output', content: [textContent(item.text)] }];
  const calls = item.calls.map(({ callId, tool, arguments: text }, position) => ({
    type: 'function_call',
    id: googleCallId(callId),
    name: wireNames[position] ?? tool,
    arguments: argumentsValue(text),
  }));
  return [...words, ...calls];
}

/** Google refuses an empty text. */
function textContent(text: string) {
  return { type: 'text', text: wellFormed(text) || ' ' };
}
