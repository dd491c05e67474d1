import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { wellFormed } from '../../../shared/text.js';
import type { FunctionNames } from '../function-names.js';
import { type WireCall, wireTurn } from './model-turn.js';

/**
 * The conversation as JSON texts of `Content`. Google wants the results of one turn's calls together, in one content
 * and in the calls' order.
 */
export function contentTexts(
  conversation: readonly ConversationItem[],
  names: FunctionNames,
): readonly string[] {
  const contents: string[] = [];
  let calls: ReadonlyMap<string, WireCall> = new Map();
  let results: string[] = [];
  const closeResults = () => {
    if (results.length > 0) contents.push(content('user', results.join(',')));
    results = [];
  };
  for (const item of conversation) {
    if (item.role === 'tool') {
      const call = calls.get(item.callId) ?? { id: item.callId, name: names.toWire(item.tool) };
      results.push(resultPart(item, JSON.stringify(call)));
      continue;
    }
    closeResults();
    if (item.role === 'user') {
      contents.push(content('user', textPart(item, '')));
      continue;
    }
    const turn = wireTurn(item, names);
    calls = turn.calls;
    if (turn.parts !== '') contents.push(content('model', turn.parts));
  }
  closeResults();
  return contents;
}

function content(role: 'user' | 'model', parts: string): string {
  return `{"role":"${role}","parts":[${parts}]}`;
}

/** Google refuses a part with an empty text. */
const textPart = encodeOnce(({ text }) => JSON.stringify({ text: wellFormed(text) || ' ' }));

const resultPart = encodeOnce((item, call) => {
  const { id, name } = JSON.parse(call) as WireCall;
  const isError = item.role === 'tool' && item.isError;
  const response = { [isError ? 'error' : 'output']: wellFormed(item.text) };
  return JSON.stringify({ functionResponse: { ...(id !== '' && { id }), name, response } });
});
