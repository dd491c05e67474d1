import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { env } from 'node:process';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { ModelAccess } from '../../../model/model.js';
import type { ModelEvent } from '../../../model/model-event.js';
import type { JsonText } from '../../../shared/brand.js';
import { type RecordedReply, type RecordedServer, serveRecorded } from '../../../testing/recorded-server.js';
import { GOOGLE_SDK } from '../sdk-version.js';
import { createGenerateContentAdapter } from './adapter.js';

const adapter = createGenerateContentAdapter();
const live = () => new AbortController().signal;

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  choice: { provider: 'google', model: 'gemini-3-pro' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
  ...change,
});

const access = (baseUrl: string | null, change: Partial<ModelAccess> = {}): ModelAccess => ({
  apiKey: 'key-of-the-tenant',
  baseUrl,
  fetch: globalThis.fetch,
  ...change,
});

async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const said = (text: string, finishReason?: string) =>
  event({ candidates: [{ content: { parts: [{ text }] }, ...(finishReason && { finishReason }) }] });
const sse = (...pieces: readonly string[]): RecordedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  pieces,
});
const json = (body: unknown, status = 200, headers = {}): RecordedReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
});

const servers: RecordedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(reply: RecordedReply): Promise<RecordedServer> {
  const server = await serveRecorded(() => reply);
  servers.push(server);
  return server;
}

async function lastOf(
  reply: RecordedReply,
  change: Partial<ModelRequest> = {},
): Promise<ModelEvent | undefined> {
  const { url } = await serve(reply);
  return (await collect(adapter.prepare(request(change), access(url)).send(live()))).at(-1);
}

/** The body that is sent for a request. */
function bodyOf(change: Partial<ModelRequest>): Promise<string> {
  return new Promise((resolve) => {
    const fetch: typeof globalThis.fetch = async (_, init) => {
      resolve(String(init?.body));
      return new Response('{}', { status: 500 });
    };
    void collect(adapter.prepare(request(change), access('http://x', { fetch })).send(live()));
  });
}

describe('a request', () => {
  it('is sent once as it was counted and digested, to the base URL, with the key', async () => {
    const { url, requests } = await serve(sse(said('hi', 'STOP')));
    const call = adapter.prepare(request(), access(`${url}/proxy/`));
    await collect(call.send(live()));
    const [sent] = requests;
    expect(requests).toHaveLength(1);
    expect(sent?.path).toBe('/proxy/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse');
    expect(sent?.headers['x-goog-api-key']).toBe('key-of-the-tenant');
    expect(sent?.headers['content-type']).toBe('application/json');
    expect(Buffer.byteLength(sent?.body ?? '')).toBe(call.requestBytes);
    const digest = createHash('sha256').update(sent?.body ?? '');
    expect(call.requestDigest).toBe(`sha256:${digest.digest('hex')}`);
  });

  it("takes nothing from the process's environment", async () => {
    const { url, requests } = await serve(sse(said('hi', 'STOP')));
    const names = ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_GENAI_USE_VERTEXAI'];
    for (const name of names) Reflect.set(env, name, 'true');
    await collect(adapter.prepare(request(), access(url)).send(live()));
    for (const name of names) Reflect.deleteProperty(env, name);
    expect(requests[0]?.headers['x-goog-api-key']).toBe('key-of-the-tenant');
  });

  it('without a base URL goes nowhere', async () => {
    const fetch = () => Promise.reject(new Error('must not be called'));
    const events = await collect(adapter.prepare(request(), access(null, { fetch })).send(live()));
    expect(events).toMatchObject([{ type: 'failure', failure: { code: 'bad_request', neverSent: true } }]);
  });

  it('with a key that is no header is never sent, and the key is not shown', async () => {
    const broken = access('http://127.0.0.1', { apiKey: 'broken\nkey' });
    const [failure] = await collect(adapter.prepare(request(), broken).send(live()));
    expect(failure).toMatchObject({ failure: { code: 'bad_request', neverSent: true } });
    expect(JSON.stringify(failure)).not.toContain('broken');
  });

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
    expect(
      await lastOf(sse(event({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })), change),
    ).toMatchObject({
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

describe('a reply', () => {
  const withCall = (args: string) =>
    event(
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"pay","args":${args}}}]},"finishReason":"STOP"}]}`,
    );

  it.each(['{"n":9007199254740993}', '{"n":0.1000000000000000055}', '{"n":1.0,"m":-0,"e":1e400}'])(
    'keeps every digit: %s',
    async (args) => {
      expect(await lastOf(sse(withCall(args)))).toMatchObject({ response: { calls: [{ arguments: args }] } });
    },
  );

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'max_tokens'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['LANGUAGE', 'error'],
    ['OTHER', 'error'],
    ['FINISH_REASON_UNSPECIFIED', 'error'],
    ['A_WORD_OF_TOMORROW', 'error'],
  ])('that ends with %s is %s', async (raw, unified) => {
    expect(await lastOf(sse(said('hi', raw)))).toMatchObject({
      type: 'response',
      response: { finish: { unified, raw } },
    });
  });

  it('to a blocked prompt is refused, and costs what Google says', async () => {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' };
    const usageMetadata = { promptTokenCount: 7, totalTokenCount: 7 };
    expect(await lastOf(sse(event({ promptFeedback, usageMetadata })))).toMatchObject({
      response: {
        finish: { unified: 'content_filter', raw: 'PROHIBITED_CONTENT' },
        usage: { inputTokens: 7, outputTokens: 0 },
      },
    });
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])(
    'that ends with %s is a failed attempt which was paid for',
    async (finishReason) => {
      const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 };
      const candidates = [{ finishReason, finishMessage: 'call:default_api:pay(' }];
      expect(await lastOf(sse(event({ candidates, usageMetadata })))).toMatchObject({
        type: 'failure',
        failure: {
          code: 'unreadable',
          message: expect.stringContaining('default_api'),
          usage: { outputTokens: 2 },
        },
      });
    },
  );

  it('counts what was cached within the input, and thoughts beside the candidates', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 20,
      totalTokenCount: 140,
    };
    const candidates = [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }];
    expect(await lastOf(sse(event({ candidates, usageMetadata })))).toMatchObject({
      response: {
        // 5 tokens of the total are in no bucket: they are charged as output.
        usage: {
          inputTokens: 110,
          cachedInputTokens: 60,
          cacheWriteTokens: 0,
          outputTokens: 30,
          reasoningTokens: 20,
        },
      },
    });
  });

  it('may be one JSON body, or a list of them, although a stream was asked for', async () => {
    const whole = { candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] };
    for (const body of [whole, [{ responseId: 'r' }, whole]])
      expect(await lastOf(json(body))).toMatchObject({ type: 'response', response: { text: 'hi' } });
  });

  it('may have comments, carriage returns and data over several lines', async () => {
    const strange =
      ': ping\r\rdata: {"candidates":[{"content":\r\ndata: {"parts":[{"text":"hi"}]}}]}\r\n\r\n';
    expect(await lastOf(sse(strange, 'data:{"candidates":[{"finishReason":"STOP"}]}'))).toMatchObject({
      response: { text: 'hi' },
    });
  });

  it('with arguments or an event of no end is not gathered for ever', async () => {
    const long = 'x'.repeat(1024 * 1024);
    expect(await lastOf(sse(withCall(`{"n":"${long}"}`)))).toMatchObject({ failure: { code: 'unreadable' } });
    expect(await lastOf(sse('data: {"a":"', long, long, long, long, long))).toMatchObject({
      failure: { code: 'unreadable', message: expect.stringContaining('4 MiB') },
    });
  });
});

describe('an attempt', () => {
  it('follows no redirect', async () => {
    const { url, requests } = await serve(json({}, 307, { location: '/elsewhere' }));
    const [failure] = await collect(adapter.prepare(request(), access(url)).send(live()));
    expect(failure).toMatchObject({ failure: { code: 'bad_request', status: 307 } });
    expect(requests).toHaveLength(1);
  });

  it('that was given up before it began is never sent', async () => {
    const fetch = () => Promise.reject(new Error('must not be called'));
    const call = adapter.prepare(request(), access('http://x', { fetch }));
    expect(await collect(call.send(AbortSignal.abort()))).toMatchObject([
      { failure: { code: 'aborted', neverSent: true } },
    ]);
  });

  it('that is given up while it streams costs what was reserved', async () => {
    const { url } = await serve({ ...sse(said('hi')), isHeld: true });
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const found of adapter.prepare(request(), access(url)).send(controller.signal)) {
      events.push(found);
      controller.abort();
    }
    expect(events).toMatchObject([
      { type: 'text_delta', text: 'hi' },
      { type: 'failure', failure: { code: 'aborted', neverSent: false, usage: null } },
    ]);
  });

  it('whose reader leaves ends the connection', async () => {
    const left = new Promise<void>((resolve) => {
      const fetch: typeof globalThis.fetch = async (_, init) => {
        init?.signal?.addEventListener('abort', () => resolve());
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from(said('hi'))),
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      };
      void (async () => {
        const call = adapter.prepare(request(), access('http://x', { fetch }));
        for await (const found of call.send(live())) if (found.type === 'text_delta') break;
      })();
    });
    await expect(left).resolves.toBeUndefined();
  });

  it('at a server that is gone was never sent', async () => {
    const gone = await serveRecorded(() => sse());
    await gone.close();
    expect(await collect(adapter.prepare(request(), access(gone.url)).send(live()))).toMatchObject([
      { failure: { code: 'overloaded', neverSent: true, status: null } },
    ]);
  });

  it('whose connection breaks is unreadable, and says nothing of a cost', async () => {
    expect(await lastOf({ ...sse(said('hi')), isCut: true })).toMatchObject({
      failure: { code: 'unreadable', neverSent: false, status: null, usage: null },
    });
  });
});

test("the SDK's version that is recorded is the one that is installed", () => {
  const entry = createRequire(__filename).resolve('@google/genai');
  const file = `${entry.slice(0, entry.indexOf('/dist/'))}/package.json`;
  const { version } = createRequire(__filename)(file) as { version: string };
  expect(GOOGLE_SDK).toBe(`@google/genai ${version}`);
});
