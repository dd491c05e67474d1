import { ask, greeting, type Question } from '../testing/ask-adapter.js';
import { createAnthropicMessagesAdapter } from './anthropic-messages/index.js';
import { createInteractionsAdapter } from './google/index.js';
import { createOpenAiChatAdapter } from './openai-chat/index.js';
import { createOpenAiResponsesAdapter } from './openai-responses/index.js';

const message = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] };

/** Each API that says which of its events is the last one, and a reply in it. */
const APIS: readonly (readonly [string, Question, readonly unknown[]])[] = [
  [
    'Chat Completions',
    { adapter: createOpenAiChatAdapter(), request: greeting('openai-compatible') },
    [{ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }, '[DONE]'],
  ],
  [
    'Responses',
    { adapter: createOpenAiResponsesAdapter(), request: greeting('openai') },
    [{ type: 'response.completed', response: { status: 'completed', output: [message] } }],
  ],
  [
    'Messages',
    { adapter: createAnthropicMessagesAdapter(), request: greeting('anthropic') },
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ],
  ],
  [
    'Interactions',
    { adapter: createInteractionsAdapter(), request: greeting('google') },
    [
      {
        event_type: 'interaction.completed',
        interaction: {
          status: 'completed',
          steps: [{ type: 'model_output', content: [{ type: 'text', text: 'hi' }] }],
        },
      },
      '[DONE]',
    ],
  ],
];

/** An event as it comes on the wire; Anthropic's SDK passes over one without a name. */
function event(data: unknown): string {
  if (typeof data === 'string') return `data: ${data}\n\n`;
  const name = typeof data === 'object' && data !== null && 'type' in data ? `event: ${data.type}\n` : '';
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

describe.each(APIS)('%s', (_, question, events) => {
  it('is done with its last event, though the connection is held open', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const reply = { status: 200, headers, pieces: [events.map(event).join('')], isHeld: true };
    expect((await ask(question, reply)).at(-1)).toMatchObject({ type: 'response', response: { text: 'hi' } });
  });
});
