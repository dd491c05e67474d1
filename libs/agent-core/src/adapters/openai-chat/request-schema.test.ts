import fc from 'fast-check';
import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import type { JsonText } from '../../shared/brand.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { publishedSchema } from '../../testing/openapi-schema.js';
import { encodeChatRequest } from './encode.js';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const call = fc.record({ callId: fc.string({ minLength: 1, maxLength: 60 }), tool: text, arguments: text });
const turn = fc
  .record({ text, calls: fc.array(call, { maxLength: 3 }), result: text })
  .map(({ text: said, calls, result }): readonly ConversationItem[] => [
    { role: 'assistant', text: said, calls, raw: [] },
    ...calls.map(({ callId, tool }) => ({
      role: 'tool' as const,
      callId,
      tool,
      text: result,
      isError: false,
    })),
  ]);

const request: fc.Arbitrary<ModelRequest> = fc.record({
  choice: fc.record(
    {
      provider: fc.constantFrom('openai' as const, 'openai-compatible' as const),
      model: fc.constant('gpt-5'),
      temperature: fc.constantFrom(0, 0.7, 2),
      reasoningEffort: fc.constantFrom('low', 'medium', 'high'),
    },
    { requiredKeys: ['provider', 'model'] },
  ),
  maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
  instructions: text,
  conversation: fc
    .tuple(text, fc.array(turn, { maxLength: 4 }))
    .map(([input, turns]) => [{ role: 'user' as const, text: input }, ...turns.flat()]),
  tools: fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
      description: text,
      parameters: fc.constant('{"type":"object","properties":{"a":{"type":"string"}}}' as JsonText),
    }),
    { maxLength: 3 },
  ),
  toolChoice: fc.constantFrom('auto' as const, 'required' as const, { tool: 'find' }),
});

describeRecorded('a request', (folder) => {
  it('is one that the published schema of OpenAI accepts, whatever the history', () => {
    const validate = publishedSchema(
      folder,
      'openai.openapi.json',
      '#/components/schemas/CreateChatCompletionRequest',
    );
    expect(validate({ model: 'm', messages: [{ role: 'tool', content: 'without an id' }] })).toBe(false);
    fc.assert(
      fc.property(request, (asked) => {
        validate(JSON.parse(encodeChatRequest(asked, 'openai:0')));
        expect(validate.errors ?? []).toEqual([]);
      }),
    );
  });
});
