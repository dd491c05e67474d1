import type { ConversationItem } from '../../../model/conversation.js';
import { encodeOnce } from '../../../model/encode-once.js';
import { wellFormed } from '../../../shared/text.js';
import type { FunctionNames } from '../function-names.js';
import { googleCallId } from '../replayed-call.js';
import { partTexts } from './model-turn.js';

/**
 * The conversation as JSON texts of `Content`. Google wants the results of one turn's calls together, in one content
 * and in the calls' order.
 */
export function contentTexts(
  conversation: readonly ConversationItem[],
  names: FunctionNames,
): readonly string[] {
  const contents: string[] = [];
  let results: string[] = [];
  const closeResults = () => {
    if (results.length > 0) contents.push(content('user', results.join(',')));
    results = [];
  };
  for (const item of conversation) {
    if (item.role === 'tool') {
      results.push(resultPart(item, names.toWire(item.tool)));
      continue;
    }
    closeResults();
    if (item.role === 'user') {
      contents.push(content('user', textPart(item, '')));
      continue;
    }
    const parts = partTexts(item, names);
    if (parts !== '') contents.push(content('model', parts));
  }
  closeResults();
  return contents;
}

function content(role: 'user' | 'model', parts: string): string {
  return `{"role":"${role}","parts":[${parts}]}`;
}

/** Google refuses a part with an empty text. */
const textPart = encodeOnce(({ text }) => JSON.stringify({ text: wellFormed(text) || ' ' }));

const resultPart = encodeOnce((item, name) => {
  if (item.role !== 'tool') return '';
  const response = { [item.isError ? 'error' : 'output']: wellFormed(item.text) };
  return JSON.stringify({ functionResponse: { id: googleCallId(item.callId), name, response } });
});
