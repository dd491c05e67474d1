import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import type { ModelEvent, ModelResponse } from '../../model/model-event.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { readJsonFile } from '../../testing/wire-data.js';
import { createOpenAiChatAdapter } from './client.js';

interface Loop {
  readonly flavour: string;
  readonly steps: readonly {
    readonly request: {
      readonly uri: string;
      readonly body: { readonly model: string; readonly messages: readonly Message[] };
    };
    readonly response: { readonly status: number; readonly content_type: string; readonly body: unknown };
  }[];
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly extra_content?: unknown;
}

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

/** What a reply becomes in the history; a call without an id gets the one that the recorded client made up. */
function assistantItem(response: ModelResponse, recorded: Message): Assistant {
  const calls = response.calls.map((call, index) => ({
    callId: call.providerCallId ?? recorded.tool_calls?.[index]?.id ?? '',
    tool: call.tool,
    arguments: call.arguments,
  }));
  return { role: 'assistant', text: response.text, calls, raw: response.raw };
}

function otherItem(message: Message): ConversationItem {
  const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  if (message.role !== 'tool') return { role: 'user', text };
  return { role: 'tool', callId: message.tool_call_id ?? '', tool: '', text, isError: false };
}

interface Exchange {
  readonly sent: readonly Message[];
  readonly response: ModelResponse | null;
}

/** Sends the request and plays the recorded response of a step. */
async function exchange(
  loop: Loop,
  step: number,
  conversation: readonly ConversationItem[],
): Promise<Exchange> {
  const recorded = loop.steps[step];
  if (recorded === undefined) throw new Error('no such step');
  const { status, content_type: type, body } = recorded.response;
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(String(init?.body));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': type } });
  };
  const [system] = recorded.request.body.messages.filter((message) => message.role === 'system');
  const request: ModelRequest = {
    choice: { provider: loop.flavour === 'openai-chat' ? 'openai' : 'openai-compatible', model: 'm' },
    maxOutputTokens: 1,
    instructions: typeof system?.content === 'string' ? system.content : '',
    conversation,
    tools: [],
    toolChoice: 'auto',
  };
  const call = createOpenAiChatAdapter().prepare(request, {
    apiKey: 'k',
    baseUrl: 'https://recorded.example',
    fetch,
  });
  let last: ModelEvent | null = null;
  for await (const event of call.send(new AbortController().signal)) last = event;
  const { messages } = JSON.parse(sent[0] ?? '') as { messages: readonly Message[] };
  return { sent: messages, response: last?.type === 'response' ? last.response : null };
}

/**
 * What may differ: content in parts, which goes out as text; a missing content, which goes out as null; and Google's
 * signature, which that recorded client forgot to send back.
 */
function comparable({ extra_content: _, ...message }: Message) {
  const { content } = message;
  const isParts = typeof content === 'object' && content !== null;
  return { ...message, content: isParts ? JSON.stringify(content) : (content ?? null) };
}

describeRecorded('recorded loops', (folder) => {
  const loops = join(folder, 'wire/loops/openai-chat');
  const names = readdirSync(loops).sort();

  it.each(names)('%s: each request carries the ids, results and order of the recorded one', async (name) => {
    const loop = readJsonFile<Loop>(join(loops, name));
    let conversation: ConversationItem[] = [];
    let known = 0;
    let response: ModelResponse | null = null;
    for (const [step, { request }] of loop.steps.entries()) {
      const messages = request.body.messages.filter((message) => message.role !== 'system');
      // One recording holds two conversations, one after the other.
      if (messages.length <= known) [conversation, known] = [[], 0];
      for (const message of messages.slice(known)) {
        if (message.role === 'assistant' && response !== null)
          conversation.push(assistantItem(response, message));
        else conversation.push(otherItem(message));
      }
      known = messages.length;
      const next: Exchange = await exchange(loop, step, conversation);
      expect(next.sent.map(comparable)).toEqual(request.body.messages.map(comparable));
      response = next.response;
    }
  });
});
