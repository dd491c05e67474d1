import { createHash } from 'node:crypto';
import type { ConversationCall, ConversationItem } from '../../model/conversation.js';
import { encodeOnce } from '../../model/encode-once.js';
import { fieldsToReplay } from './raw-fields.js';
import { asObject, isObjectText, type WireObject } from './wire-value.js';

/** OpenAI refuses longer ids; other servers make them (vLLM: 46 characters), and a fallback inherits them. */
const LONGEST_CALL_ID = 40;
const LONGEST_NAME = 64;

/** An item as JSON text of one message to this server (raw-fields.ts), or an empty text where there is nothing to say. */
export const messageText = encodeOnce((item: ConversationItem, server: string): string => {
  switch (item.role) {
    case 'user':
      return JSON.stringify({ role: 'user', content: item.text });
    case 'tool':
      return JSON.stringify({ role: 'tool', tool_call_id: wireCallId(item.callId), content: item.text });
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
    id: wireCallId(call.callId),
    type: 'function',
    function: { name: wireName(call.tool), arguments: wireArguments(call.arguments) },
    ...replayed,
  };
}

function wireCallId(id: string): string {
  if (id.length <= LONGEST_CALL_ID) return id;
  return `call_${createHash('sha256')
    .update(id)
    .digest('hex')
    .slice(0, LONGEST_CALL_ID - 'call_'.length)}`;
}

/** A model may call what it was never given, under any name; the history of that must still be accepted (I11). */
function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed';
}

/** Servers that parse the history's arguments (vLLM) fail on what is no object: such text goes back inside one. */
function wireArguments(text: string): string {
  if (text.trim() === '') return '{}';
  return isObjectText(text) ? text : JSON.stringify({ unreadable_arguments: text });
}
