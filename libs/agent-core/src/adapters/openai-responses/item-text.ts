import type { ConversationCall, ConversationItem } from '../../model/conversation.js';
import { encodeOnce } from '../../model/encode-once.js';
import { wireArguments, wireCallId, wireName } from '../wire/wire-call.js';
import { isObjectText } from '../wire/wire-value.js';
import { isCall, type OutputItem, proposedCall } from './output-item.js';
import { itemsToReplay } from './replay.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

const CALL_ID = /^.{1,64}$/s;

/** An item as JSON texts of input items with commas between, for this server; empty where there is nothing to say. */
export const itemText = encodeOnce((item: ConversationItem, server: string): string => {
  switch (item.role) {
    case 'user':
      return JSON.stringify({ role: 'user', content: item.text });
    case 'tool':
      return JSON.stringify({
        type: 'function_call_output',
        call_id: wireCallId(item.callId, CALL_ID),
        output: item.text,
      });
    case 'assistant':
      return assistantTexts(item, server).join(',');
  }
});

function assistantTexts(item: Assistant, server: string): readonly string[] {
  const replayed = itemsToReplay(item, server);
  if (replayed === null) {
    const words = item.text === '' ? [] : [JSON.stringify({ role: 'assistant', content: item.text })];
    return [...words, ...item.calls.map(callText)];
  }
  let index = 0;
  return replayed.map((output) => {
    if (!isCall(output)) return output.json;
    const call = item.calls[index];
    index += 1;
    return call === undefined || isSame(output, call) ? output.json : callText(call);
  });
}

/** Whether a call goes out under the very id (as its result does), name and arguments that it came with. */
function isSame(output: OutputItem, call: ConversationCall): boolean {
  const { providerCallId, tool } = proposedCall(output);
  return (
    output.value.type === 'function_call' &&
    providerCallId === wireCallId(call.callId, CALL_ID) &&
    wireName(tool) === tool &&
    isObjectText(call.arguments)
  );
}

function callText(call: ConversationCall): string {
  return JSON.stringify({
    type: 'function_call',
    call_id: wireCallId(call.callId, CALL_ID),
    name: wireName(call.tool),
    arguments: wireArguments(call.arguments),
  });
}
