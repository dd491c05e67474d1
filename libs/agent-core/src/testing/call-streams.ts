import { createAnthropicMessagesAdapter } from '../adapters/anthropic-messages/client.js';
import { createGenerateContentAdapter } from '../adapters/google/generate-content/adapter.js';
import { createInteractionsAdapter } from '../adapters/google/interactions/adapter.js';
import { createOpenAiChatAdapter } from '../adapters/openai-chat/client.js';
import { createOpenAiResponsesAdapter } from '../adapters/openai-responses/client.js';
import type { ModelAdapter } from '../model/model.js';
import type { ModelChoice } from '../model/model-choice.js';

/** A call as a model writes it: its arguments' text comes in these pieces. */
export interface StreamedCall {
  /** Null where the provider gives none. */
  readonly id: string | null;
  readonly name: string;
  readonly pieces: readonly string[];
}

/** How one wire API streams calls. Every entry is one event of the stream, as text. */
export interface CallStream {
  readonly name: string;
  readonly adapter: ModelAdapter;
  readonly choice: ModelChoice;
  /** The ids and names of calls that this API takes in a history. */
  readonly accepts: { readonly id: RegExp; readonly name: RegExp };
  /** What comes before the calls: a thought, too, that only this provider understands. */
  readonly begin: readonly string[];
  /** The events of one call, in their order. Those of several calls may stand in turns behind the first of each. */
  readonly call: (call: StreamedCall, index: number) => readonly string[];
  /** What says that the model is done and wants its calls run. */
  readonly end: readonly string[];
}

/** Stands in every thought: it goes back to the one provider and to no other. */
export const THOUGHT = 'understood-by-its-maker-alone';

const event = (value: { readonly type?: string; readonly [name: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const data = (text: string) => `data: ${text}\n\n`;
const json = (value: unknown) => data(JSON.stringify(value));
const named = (id: string | null) => (id === null ? {} : { id });

const PLAIN_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const GOOGLE = { id: /./s, name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/ };

const chat: CallStream = {
  name: 'Chat Completions',
  adapter: createOpenAiChatAdapter(),
  choice: { provider: 'openai', model: 'm' },
  accepts: { id: /^.{1,40}$/s, name: PLAIN_NAME },
  begin: [
    json({
      id: 'r',
      model: 'm',
      choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: THOUGHT } }],
    }),
  ],
  call: ({ id, name, pieces }, index) =>
    pieces.map((text, at) => {
      const entry =
        at === 0 ? { ...named(id), function: { name, arguments: text } } : { function: { arguments: text } };
      return json({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...entry }] } }] });
    }),
  end: [json({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }), data('[DONE]')],
};

const responses: CallStream = {
  name: 'Responses',
  adapter: createOpenAiResponsesAdapter(),
  choice: { provider: 'openai', model: 'm' },
  accepts: { id: /^.{1,64}$/s, name: PLAIN_NAME },
  begin: [
    event({ type: 'response.created', response: { id: 'r', model: 'm' } }),
    event({
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'reasoning', id: 'rs', summary: [], encrypted_content: THOUGHT },
    }),
  ],
  call: ({ id, name, pieces }, index) => {
    const at = { output_index: index + 1, item_id: `i_${index}` };
    const item = { type: 'function_call', id: `i_${index}`, ...(id !== null && { call_id: id }), name };
    return [
      event({ type: 'response.output_item.added', ...at, item: { ...item, arguments: '' } }),
      ...pieces.map((delta) => event({ type: 'response.function_call_arguments.delta', ...at, delta })),
      event({ type: 'response.output_item.done', ...at, item: { ...item, arguments: pieces.join('') } }),
    ];
  },
  end: [event({ type: 'response.completed', response: { id: 'r', model: 'm', status: 'completed' } })],
};

const messages: CallStream = {
  name: 'Messages',
  adapter: createAnthropicMessagesAdapter(),
  choice: { provider: 'anthropic', model: 'm' },
  accepts: { id: /^[a-zA-Z0-9_-]+$/, name: PLAIN_NAME },
  begin: [
    event({ type: 'message_start', message: { id: 'r', model: 'm', usage: { input_tokens: 5 } } }),
    event({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: THOUGHT },
    }),
    event({ type: 'content_block_stop', index: 0 }),
  ],
  call: ({ id, name, pieces }, place) => {
    const index = place + 1;
    return [
      event({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', ...named(id), name, input: {} },
      }),
      ...pieces.map((partial_json) =>
        event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
      ),
      event({ type: 'content_block_stop', index }),
    ];
  },
  end: [
    event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }),
    event({ type: 'message_stop' }),
  ],
};

/** Google sends the arguments as a value, so all of them at once: its text is put into the event as it is. */
const generateContent: CallStream = {
  name: 'generateContent',
  adapter: createGenerateContentAdapter(),
  choice: { provider: 'google', model: 'm' },
  accepts: GOOGLE,
  begin: [json({ candidates: [{ content: { parts: [{ text: '', thoughtSignature: THOUGHT }] } }] })],
  call: ({ id, name, pieces }) => {
    const call = JSON.stringify({ ...named(id), name }).slice(0, -1);
    const part = `{"functionCall":${call},"args":${pieces.join('')}}}`;
    return [data(`{"candidates":[{"content":{"parts":[${part}]}}]}`)];
  },
  end: [json({ candidates: [{ finishReason: 'STOP' }] })],
};

const interactions: CallStream = {
  name: 'Interactions',
  adapter: createInteractionsAdapter(),
  choice: { provider: 'google', api: 'interactions', model: 'm' },
  accepts: GOOGLE,
  begin: [
    json({ event_type: 'interaction.created', interaction: { id: 'r', status: 'in_progress' } }),
    json({ event_type: 'step.start', index: 0, step: { type: 'thought', signature: THOUGHT } }),
    json({ event_type: 'step.stop', index: 0 }),
  ],
  call: ({ id, name, pieces }, place) => {
    const index = place + 1;
    return [
      json({
        event_type: 'step.start',
        index,
        step: { type: 'function_call', ...named(id), name, arguments: {} },
      }),
      ...pieces.map((text) =>
        json({ event_type: 'step.delta', index, delta: { type: 'arguments_delta', arguments: text } }),
      ),
      json({ event_type: 'step.stop', index }),
    ];
  },
  end: [
    json({ event_type: 'interaction.completed', interaction: { id: 'r', status: 'requires_action' } }),
    data('[DONE]'),
  ],
};

export const callStreams: readonly CallStream[] = [chat, responses, messages, generateContent, interactions];
