import fc from 'fast-check';
import type { ConversationItem, ModelRequest } from '../model/conversation.js';
import type { ModelChoice } from '../model/model-choice.js';
import type { ModelResponse } from '../model/model-event.js';
import type { JsonText } from '../shared/brand.js';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value })),
  fc.constant('{"n":9007199254740993,"x":1.0}'),
);
const call = fc.record({
  callId: fc.uuid().chain((id) => fc.constantFrom(id, `functions.x:${id}`, `${id}${id}`)),
  tool: text,
  arguments: fc.oneof(text, json),
});
const turn = fc
  .record({ text, calls: fc.array(call, { maxLength: 3 }), result: text, isError: fc.boolean() })
  .filter(({ text: said, calls }) => said !== '' || calls.length > 0)
  .map(({ text: said, calls, result, isError }): readonly ConversationItem[] => [
    { role: 'assistant', text: said, calls, raw: [] },
    ...calls.map(({ callId, tool }) => ({ role: 'tool' as const, callId, tool, text: result, isError })),
  ]);
const spoken = text.map((said): ConversationItem => ({ role: 'user', text: said || 'x' }));

/** Sound histories of whatever was said, with ids, names and arguments of any kind. */
const conversations: fc.Arbitrary<readonly ConversationItem[]> = fc
  .tuple(
    spoken,
    fc.array(
      fc.oneof(
        turn,
        spoken.map((item) => [item]),
      ),
      { maxLength: 5 },
    ),
  )
  .map(([first, turns]) => [first, ...turns.flat()]);

/** Requests of any kind to a provider's models. */
export function requests(
  provider: ModelChoice['provider'],
  models: readonly string[],
): fc.Arbitrary<ModelRequest> {
  return fc.record({
    choice: fc.record(
      {
        provider: fc.constant(provider),
        model: fc.constantFrom(...models),
        temperature: fc.constantFrom(0, 0.7, 1),
        reasoningEffort: fc.constantFrom('low', 'medium', 'high'),
      },
      { requiredKeys: ['provider', 'model'] },
    ),
    maxOutputTokens: fc.integer({ min: 16, max: 100_000 }),
    instructions: text,
    conversation: conversations,
    tools: fc.array(
      fc.record({
        name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
        description: text,
        parameters: fc.constantFrom(
          '{"type":"object","properties":{"a":{"type":"string"}}}' as JsonText,
          '{"type":"object","anyOf":[{"required":["a"]}]}' as JsonText,
        ),
      }),
      { maxLength: 3 },
    ),
    toolChoice: fc.constantFrom('auto' as const, 'required' as const, { tool: 'find' }),
  });
}

/** A history in which this reply stands with a result for each of its calls, and a further word of the user. */
export function continued(response: ModelResponse): readonly ConversationItem[] {
  const calls = response.calls.map(({ providerCallId, tool, arguments: args }, index) => ({
    callId: providerCallId ?? `ours_${index}`,
    tool,
    arguments: args,
  }));
  const { text: said, raw } = response;
  const isEmpty = said === '' && calls.length === 0 && raw.length === 0;
  return [
    { role: 'user', text: 'hello' },
    ...(isEmpty ? [] : [{ role: 'assistant' as const, text: said, calls, raw }]),
    ...calls.map(({ callId, tool }) => ({
      role: 'tool' as const,
      callId,
      tool,
      text: '{"ok":true}',
      isError: false,
    })),
    { role: 'user', text: 'and now?' },
  ];
}
