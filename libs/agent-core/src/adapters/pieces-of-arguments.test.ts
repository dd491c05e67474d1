import { askLocally, greeting, type Question } from '../testing/ask-adapter.js';
import { createAnthropicMessagesAdapter } from './anthropic-messages/index.js';
import { createGenerateContentAdapter, createInteractionsAdapter } from './google/index.js';
import { createOpenAiChatAdapter } from './openai-chat/index.js';
import { createOpenAiResponsesAdapter } from './openai-responses/index.js';

const PIECES = 2_000;
const PIECE = 'x'.repeat(50);

/** Each API, how a call begins in it, and how a piece of its arguments comes. */
const APIS: readonly (readonly [string, Question, unknown, unknown])[] = [
  [
    'Chat Completions',
    { adapter: createOpenAiChatAdapter(), request: greeting('openai-compatible') },
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'find' } }] } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: PIECE } }] } }] },
  ],
  [
    'Responses',
    { adapter: createOpenAiResponsesAdapter(), request: greeting('openai') },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', call_id: 'a', name: 'find' },
    },
    { type: 'response.function_call_arguments.delta', output_index: 0, delta: PIECE },
  ],
  [
    'Messages',
    { adapter: createAnthropicMessagesAdapter(), request: greeting('anthropic') },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'a', name: 'find', input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: PIECE } },
  ],
  [
    'generateContent',
    { adapter: createGenerateContentAdapter(), request: greeting('google') },
    { candidates: [{ content: { parts: [{ functionCall: { name: 'find', willContinue: true } }] } }] },
    {
      candidates: [
        {
          content: {
            parts: [
              {
                functionCall: { willContinue: true, partialArgs: [{ jsonPath: '$.a', stringValue: PIECE }] },
              },
            ],
          },
        },
      ],
    },
  ],
  [
    'Interactions',
    { adapter: createInteractionsAdapter(), request: greeting('google') },
    { event_type: 'step.start', index: 0, step: { type: 'function_call', id: 'a', name: 'find' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'arguments_delta', arguments: PIECE } },
  ],
];

/** An event as it comes on the wire; Anthropic's SDK passes over one without a name. */
function event(data: unknown): Uint8Array {
  const name =
    typeof data === 'object' && data !== null && 'type' in data ? `event: ${String(data.type)}\n` : '';
  return Buffer.from(`${name}data: ${JSON.stringify(data)}\n\n`);
}

describe.each(APIS)('%s', (_, question, begin, piece) => {
  afterEach(() => jest.restoreAllMocks());

  it('counts each piece of the arguments once, never what came before with it', async () => {
    const count = jest.spyOn(Buffer, 'byteLength');
    const pieces = [event(begin), ...Array<Uint8Array>(PIECES).fill(event(piece))];
    const headers = { 'content-type': 'text/event-stream' };
    await askLocally(question, { status: 200, headers }, pieces);
    const counted = count.mock.calls.reduce(
      (sum, [text]) => sum + (typeof text === 'string' ? text.length : 0),
      0,
    );
    expect(counted).toBeLessThan(10 * PIECES * PIECE.length);
  });
});
