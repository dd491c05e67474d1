import type { ConversationCall, ConversationItem } from '../model/conversation.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

export function said(text: string): ConversationItem {
  return { role: 'user', text };
}

export function replied(item: Partial<Assistant>): Assistant {
  return { role: 'assistant', text: '', calls: [], raw: [], ...item };
}

export function called(callId: string, tool = 'find', text = '{}'): ConversationCall {
  return { callId, tool, arguments: text };
}

export function resultOf(callId: string, text = 'ok', isError = false): ConversationItem {
  return { role: 'tool', callId, tool: 'find', text, isError };
}
