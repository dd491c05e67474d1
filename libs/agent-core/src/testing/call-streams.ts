import { createAnthropicMessagesAdapter } from '../adapters/anthropic-messages/client.js';
import { createGenerateContentAdapter } from '../adapters/google/generate-content/adapter.js';
import { createInteractionsAdapter } from '../adapters/google/interactions/adapter.js';
import { createOpenAiChatAdapter } from '../adapters/openai-chat/client.js';
import { createOpenAiResponsesAdapter } from '../adapters/openai-responses/client.js';
import type { ModelAdapter } from '../model/model.js';
import type { ModelChoice } from '../model/model-choice.js';

/** A call as a model writes it: its arguments' text comes in these pieces. */
export interface StreamedCall {
  readonly name: string;
  readonly pieces: readonly string[];
}

/** How one wire API streams calls. Every entry is one event of the stream, as text. */
export interface CallStream {
  readonly name: string;
  readonly adapter: ModelAdapter;
  readonly choice: ModelChoice;
  /** What comes before the calls. */
  readonly begin: readonly string[];
  /** The events of one call, in their order. Those of several calls may stand in turns behind the first of each. */
  readonly call: (call: StreamedCall, index: number) => readonly string[];
  /** What says that the model is done and wants its calls run. */
  readonly end: readonly string[];
}

const event = (value: { readonly type?: string; readonly [name: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const data = (text: string) => `data: ${text}\n\n`;
const json = (value: unknown) => data(JSON.stringify(value));

const chat: CallStream = {
  name: 'Chat Completions',
  adapter: createOpenAiChatAdapter(),
  choice: { provider: 'openai', model: 'm' },
  begin: [json({ id: 'r', model: 'm', choices: [{ index: 0, delta: { role: 'assistant' } }] })],
  call: ({ name, pieces }, index) =>
    pieces.map((text, at) => {
      const called = at === 0 ? { name, arguments: text } : { arguments: text };
      const named = at === 0 ? { id: `call_${index}` } : {};
      return json({
        choices: [{ index: 0, delta: { tool_calls: [{ index, ...named, function: called }] } }],
      });
    }),
  end: [json({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }), data('[DONE]')],
};

const responses: CallStream = {
  name: 'Responses',
  adapter: createOpenAiResponsesAdapter(),
  choice: { provider: 'openai', model: 'm' },
  begin: [event({ type: 'response.created', response: { id: 'r', model: 'm' } })],
  call: ({ name, pieces }, index) => {
    const at = { output_index: index, item_id: `i_${index}` };
    const item = { type: 'function_call', id: `i_${index}`, call_id: `call_${index}`, name };
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
  begin: [event({ type: 'message_start', message: { id: 'r', model: 'm', usage: { input_tokens: 5 } } })],
  call: ({ name, pieces }, index) => [
    event({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `call_${index}`, name, input: {} },
    }),
    ...pieces.map((partial_json) =>
      event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
    ),
    event({ type: 'content_block_stop', index }),
  ],
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
  begin: [],
  call: ({ name, pieces }) => [
    data(
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"${name}","args":${pieces.join('')}}}]}}]}`,
    ),
  ],
  end: [json({ candidates: [{ finishReason: 'STOP' }] })],
};

const interactions: CallStream = {
  name: 'Interactions',
  adapter: createInteractionsAdapter(),
  choice: { provider: 'google', api: 'interactions', model: 'm' },
  begin: [json({ event_type: 'interaction.created', interaction: { id: 'r', status: 'in_progress' } })],
  call: ({ name, pieces }, index) => [
    json({
      event_type: 'step.start',
      index,
      step: { type: 'function_call', id: `call_${index}`, name, arguments: {} },
    }),
    ...pieces.map((text) =>
      json({ event_type: 'step.delta', index, delta: { type: 'arguments_delta', arguments: text } }),
    ),
    json({ event_type: 'step.stop', index }),
  ],
  end: [
    json({ event_type: 'interaction.completed', interaction: { id: 'r', status: 'requires_action' } }),
    data('[DONE]'),
  ],
};

export const callStreams: readonly CallStream[] = [chat, responses, messages, generateContent, interactions];
