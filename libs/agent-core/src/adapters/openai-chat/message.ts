import type { ConversationCall, ConversationItem } from '../../model/conversation.js';
import { encodeOnce } from '../../model/encode-once.js';
import { wireArguments, wireCallId, wireName } from '../wire/wire-call.js';
import { asObject, type WireObject } from '../wire/wire-value.js';
import { fieldsToReplay } from './raw-fields.js';

/** OpenAI refuses longer ids; other servers make them (vLLM: 46 characters), and a fallback inherits them. */
const CALL_ID = /^.{1,40}$/s;

/** An item as JSON text of one message to this server (raw-fields.ts), or an empty text where there is nothing to say. */
export const messageText = encodeOnce((item: ConversationItem, server: string): string => {
  switch (item.role) {
    case 'user':
      return JSON.stringify({ role: 'user', content: item.text });
    case 'tool':
      return JSON.stringify({
        role: 'tool',
        tool_call_id: wireCallId(item.callId, CALL_ID),
        content: item.text,
      });
    case 'assistant':
      return assistantText(item, server);
  }
});

/** A message without text is written as null beside its calls, and not at all without any: servers refuse empty text. */
function assistantText(item: Extract<ConversationItem, { role: 'assistant' }>, server: string): string {
  if (item.text === '' && item.calls.length === 0) return '';
  const replayed = fieldsToReplay(item, server);
  const calls = item.calls.map((call, position) => wireCall(call, asObject(replayed.calls[position]) ?? {}));
  return JSON.stringify({
    role: 'assistant',
    content: item.text === '' ? null : item.text,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...replayed.message,
  });
}

function wireCall(call: ConversationCall, replayed: WireObject): WireObject {
  return {
    id: wireCallId(call.callId, CALL_ID),
    type: 'function',
    function: { name: wireName(call.tool), arguments: wireArguments(call.arguments) },
    ...replayed,
  };
}
