import { createRequire } from 'node:module';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { JsonText } from '../../../shared/brand.js';
import { ask } from '../../../testing/ask-adapter.js';
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

/** The body that is sent for a request. */
function bodyOf(change: Partial<ModelRequest>): Promise<string> {
  return new Promise((resolve) => {
    const fetch: typeof globalThis.fetch = async (_, init) => {
      resolve(String(init?.body));
      return new Response('{}', { status: 500 });
    };
    const prepared = adapter.prepare(request(change), { apiKey: 'k', baseUrl: 'http://x', fetch });
    void (async () => {
      for await (const _ of prepared.send(new AbortController().signal));
    })();
  });
}

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
  const turn = (raw: readonly { provider: 'google' | 'anthropic'; api: string; json: string }[]) =>
    [
      { role: 'user', text: 'q' },
      {
        role: 'assistant',
        text: 'said',
        calls: [
          { callId: 'tcl_1', tool: 'find', arguments: '{"n":9007199254740993}' },
          { callId: 'tcl_2', tool: 'find', arguments: '{"n":' },
        ],
        raw: raw as never,
      },
      { role: 'tool', callId: 'tcl_1', tool: 'find', text: 'one', isError: false },
      { role: 'tool', callId: 'tcl_2', tool: 'find', text: 'two', isError: true },
    ] satisfies readonly ConversationItem[];

  it('of our own goes back as it came: signatures where they stood, results under the ids that Google gave', async () => {
    const parts =
      '[{"text":"th","thought":true},{"functionCall":{"id":"g1","name":"find","args":{"n":1.0}},"thoughtSignature":"s=="},{"functionCall":{"name":"find","args":{}}}]';
    const raw = [{ provider: 'google' as const, api: 'generateContent', json: `{"parts":${parts}}` }];
    const body = await bodyOf({ conversation: turn(raw) });
    expect(body).toContain(`{"role":"model","parts":${parts}}`);
    expect(body).toContain(
      '{"role":"user","parts":[{"functionResponse":{"id":"g1","name":"find","response":{"output":"one"}}},{"functionResponse":{"name":"find","response":{"error":"two"}}}]}',
    );
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
