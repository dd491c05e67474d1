import { createRequire } from 'node:module';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { JsonText } from '../../../shared/brand.js';
import { ask, bodyOf as bodyOfRequest } from '../../../testing/ask-adapter.js';
import { called, replied, resultOf, said } from '../../../testing/history-fixtures.js';
import { sentFault } from '../../../testing/sent-calls.js';
import { GOOGLE_SDK } from '../sdk-version.js';
import { createGenerateContentAdapter } from './adapter.js';

const adapter = createGenerateContentAdapter();

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  choice: { provider: 'google', model: 'gemini-3-pro' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
  ...change,
});

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

const bodyOf = (change: Partial<ModelRequest>) => bodyOfRequest({ adapter, request: request(change) });

describe('a request', () => {
  it('names tools as Google takes them, and reads its names back', async () => {
    const tools = ['9lives', '_9lives', '-x'].map((name) => ({
      name,
      description: 'd',
      parameters: '{"type":"object","properties":{"n":{"maximum":9007199254740993}}}' as JsonText,
    }));
    const change = { tools, toolChoice: { tool: '9lives' } };
    const body = await bodyOf(change);
    expect(JSON.parse(body)).toMatchObject({
      tools: [{ functionDeclarations: [{ name: '_9lives_2' }, { name: '_9lives' }, { name: '_-x' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['_9lives_2'] } },
    });
    expect(body).toContain('9007199254740993');
    const parts = ['_9lives_2', '_9lives', '_-x', 'gone'].map((name) => ({ functionCall: { name } }));
    const reply = event({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
    const headers = { 'content-type': 'text/event-stream' };
    const events = await ask(
      { adapter, request: request(change) },
      { status: 200, headers, pieces: [reply] },
    );
    expect(events.at(-1)).toMatchObject({
      response: { calls: [{ tool: '9lives' }, { tool: '_9lives' }, { tool: '-x' }, { tool: 'gone' }] },
    });
  });

  it.each([
    ['gemini-2.5-pro', 'medium', { thinkingBudget: 8192 }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-3-pro', 'low', { thinkingLevel: 'LOW' }],
    ['gemini-flash-latest', '2048', { thinkingBudget: 2048 }],
  ])('asks %s for %s effort in its own words', async (model, reasoningEffort, thinkingConfig) => {
    const body = await bodyOf({ choice: { provider: 'google', model, reasoningEffort, temperature: 0 } });
    expect(JSON.parse(body)).toMatchObject({
      generationConfig: { maxOutputTokens: 100, temperature: 0, thinkingConfig },
    });
  });
});

describe('a history', () => {
  const turn = (
    raw: readonly { provider: 'google' | 'anthropic'; api: string; json: string }[],
    [first, second]: readonly [string, string] = ['tcl_1', 'tcl_2'],
  ) =>
    [
      { role: 'user', text: 'q' },
      {
        role: 'assistant',
        text: 'said',
        calls: [
          { callId: first, tool: 'find', arguments: '{"n":9007199254740993}' },
          { callId: second, tool: 'find', arguments: '{"n":' },
        ],
        raw: raw as never,
      },
      { role: 'tool', callId: first, tool: 'find', text: 'one', isError: false },
      { role: 'tool', callId: second, tool: 'find', text: 'two', isError: true },
    ] satisfies readonly ConversationItem[];

  it('of our own goes back as it came: signatures where they stood, results under the ids that Google gave', async () => {
    const parts =
      '[{"text":"th","thought":true},{"functionCall":{"id":"g1","name":"find","args":{"n":1.0}},"thoughtSignature":"s=="},{"functionCall":{"name":"find","args":{},"id":"g2"}}]';
    const raw = [{ provider: 'google' as const, api: 'generateContent', json: `{"parts":${parts}}` }];
    const body = await bodyOf({ conversation: turn(raw, ['g1', 'g2']) });
    expect(body).toContain(`{"role":"model","parts":${parts}}`);
    expect(body).toContain(
      '{"role":"user","parts":[{"functionResponse":{"id":"g1","name":"find","response":{"output":"one"}}},{"functionResponse":{"id":"g2","name":"find","response":{"error":"two"}}}]}',
    );
  });

  it('has our ids where Google gave none or one twice, and names that it takes, beside signatures as they came', async () => {
    const tools = ['find', 'default_api:find'];
    const came = [
      '{"functionCall":{"id":"g1","name":"find","args":{"n":1.0}},"thoughtSignature":"s=="}',
      '{"functionCall":{"id":"g1","name":"default_api:find","args":[]},"thoughtSignature":"t=="}',
      '{"functionCall":{"name":"","args":{}},"thoughtSignature":"u=="}',
    ];
    const conversation: readonly ConversationItem[] = [
      said('q'),
      replied({
        calls: [called('g1'), called('tcl_2', 'default_api:find', '[]'), called('tcl_3', '')],
        raw: [
          { provider: 'google', api: 'generateContent', json: `{"parts":[${came.join(',')}]}` as JsonText },
        ],
      }),
      ...['g1', 'tcl_2', 'tcl_3'].map((id, index) => ({ ...resultOf(id), tool: tools[index] ?? '' })),
    ];
    const body = await bodyOf({ conversation });
    expect(body).toContain(
      [
        came[0],
        '{"functionCall":{"id":"tcl_2","name":"default_api_find","args":{"unreadable_arguments":"[]"}},"thoughtSignature":"t=="}',
        '{"functionCall":{"name":"unnamed","args":{},"id":"tcl_3"},"thoughtSignature":"u=="}',
      ].join(','),
    );
    expect(sentFault(body, { accepts: { id: /./, name: /^[a-zA-Z_]/ } })).toBeNull();
  });

  it('is made of words and calls where the raw parts hold other calls than the turn', async () => {
    const json = '{"parts":[{"functionCall":{"id":"g1","name":"find","args":{}},"thoughtSignature":"s=="}]}';
    const body = await bodyOf({
      conversation: turn([{ provider: 'google', api: 'generateContent', json }], ['g1', 'g2']),
    });
    expect(body).not.toContain('s==');
    expect(body).toContain('{"text":"said"},{"functionCall":{"id":"g1"');
  });

  it.each([
    [
      'another provider',
      { provider: 'anthropic' as const, api: 'messages', json: '{"parts":[{"text":"x"}]}' },
    ],
    ['another API', { provider: 'google' as const, api: 'interactions', json: '{"parts":[{"text":"x"}]}' }],
  ])('of %s goes without what only that one understands', async (_, raw) => {
    const body = await bodyOf({ conversation: turn([raw]) });
    expect(body).toContain(
      '{"role":"model","parts":[{"text":"said"},{"functionCall":{"id":"tcl_1","name":"find","args":{"n":9007199254740993}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"id":"tcl_2","name":"find","args":{"unreadable_arguments":"{\\"n\\":"}}}]}',
    );
    expect(body).toContain('{"functionResponse":{"id":"tcl_2","name":"find","response":{"error":"two"}}}');
  });

  it('keeps NUL, and says of a lone surrogate that there was one: protobuf has none', async () => {
    const body = await bodyOf({ conversation: [{ role: 'user', text: 'a\u0000 \ud800 é 😀 \\ud800' }] });
    expect(JSON.parse(body)).toMatchObject({
      contents: [{ parts: [{ text: 'a\u0000 \ufffd é 😀 \\ud800' }] }],
    });
  });
});

test("the SDK's version that is recorded is the one that is installed", () => {
  const entry = createRequire(__filename).resolve('@google/genai');
  const file = `${entry.slice(0, entry.indexOf('/dist/'))}/package.json`;
  const { version } = createRequire(__filename)(file) as { version: string };
  expect(GOOGLE_SDK).toBe(`@google/genai ${version}`);
});
