import { createHash } from 'node:crypto';
import { env } from 'node:process';
import type { ModelRequest } from '../../model/conversation.js';
import type { ModelAccess } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import { type RecordedReply, type RecordedServer, serveRecorded } from '../../testing/recorded-server.js';
import { createAnthropicMessagesAdapter } from '../anthropic-messages/client.js';
import { createGenerateContentAdapter } from '../google/generate-content/adapter.js';
import { createInteractionsAdapter } from '../google/interactions/adapter.js';
import { createOpenAiResponsesAdapter } from '../openai-responses/client.js';

const event = (value: { readonly type?: string; readonly [name: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const hé = { type: 'text', text: 'hé' };
const counts = { promptTokenCount: 3, candidatesTokenCount: 2 };
const google = {
  provider: 'google',
  key: 'x-goog-api-key',
  keyOf: (apiKey: string) => apiKey,
  variables: {
    GEMINI_API_KEY: 'not-for-tenants',
    GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1/not-for-tenants',
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
  },
} as const;

const clients = [
  {
    name: 'Anthropic Messages',
    adapter: createAnthropicMessagesAdapter(),
    provider: 'anthropic',
    path: '/v1/messages',
    key: 'x-api-key',
    keyOf: (apiKey: string) => apiKey,
    begun: [
      event({
        type: 'message_start',
        message: { id: 'r', model: 'm-1', usage: { input_tokens: 3, output_tokens: 1 } },
      }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hé' } }),
    ],
    ended: [
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
      event({ type: 'message_stop' }),
    ],
    home: 'https://api.anthropic.com/v1/messages',
    variables: {
      ANTHROPIC_AUTH_TOKEN: 'not-for-tenants',
      ANTHROPIC_CUSTOM_HEADERS: 'x-company: not-for-tenants',
    },
  },
  {
    name: 'OpenAI Responses',
    adapter: createOpenAiResponsesAdapter(),
    provider: 'openai',
    path: '/responses',
    key: 'authorization',
    keyOf: (apiKey: string) => `Bearer ${apiKey}`,
    begun: [
      event({ type: 'response.created', response: { id: 'r', model: 'm-1' } }),
      event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } }),
      event({ type: 'response.output_text.delta', output_index: 0, delta: 'hé' }),
    ],
    ended: [
      event({
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', content: [{ type: 'output_text', text: 'hé' }] },
      }),
      event({
        type: 'response.completed',
        response: {
          id: 'r',
          model: 'm-1',
          status: 'completed',
          usage: { input_tokens: 3, output_tokens: 2 },
        },
      }),
    ],
    home: 'https://api.openai.com/v1/responses',
    variables: { OPENAI_ORG_ID: 'not-for-tenants', OPENAI_CUSTOM_HEADERS: 'x-company: not-for-tenants' },
  },
  {
    name: 'Google generateContent',
    adapter: createGenerateContentAdapter(),
    ...google,
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    begun: [event({ responseId: 'r', modelVersion: 'm-1', candidates: [{ content: { parts: [hé] } }] })],
    ended: [event({ candidates: [{ finishReason: 'STOP' }], usageMetadata: counts })],
    home: 'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
  },
  {
    name: 'Google Interactions',
    adapter: createInteractionsAdapter(),
    ...google,
    path: '/v1beta/interactions',
    begun: [
      event({ event_type: 'interaction.created', interaction: { id: 'r', model: 'm-1' } }),
      event({ event_type: 'step.start', index: 0, step: { type: 'model_output', content: [hé] } }),
    ],
    ended: [
      event({
        event_type: 'interaction.completed',
        interaction: { status: 'completed', usage: { total_input_tokens: 3, total_output_tokens: 2 } },
      }),
    ],
    home: 'https://generativelanguage.googleapis.com/v1beta/interactions',
  },
] as const;

const neverCalled = () => Promise.reject(new Error('must not be called'));
const live = () => new AbortController().signal;
const access = (baseUrl: string | null, change: Partial<ModelAccess> = {}): ModelAccess => ({
  apiKey: 'key-of-the-tenant',
  baseUrl,
  fetch: globalThis.fetch,
  ...change,
});

async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const each of events) found.push(each);
  return found;
}

let server: RecordedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(reply: RecordedReply): Promise<RecordedServer> {
  server = await serveRecorded(() => reply);
  return server;
}

const sse = (...pieces: readonly string[]): RecordedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  pieces,
});
const json = (body: unknown, status: number, headers = {}): RecordedReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [JSON.stringify(body)],
});

describe.each(clients)('the client of $name', ({ adapter, provider, begun, ended, ...client }) => {
  const request: ModelRequest = {
    choice: { provider, model: 'm' },
    maxOutputTokens: 100,
    instructions: '',
    conversation: [{ role: 'user', text: 'é 😀' }],
    tools: [],
    toolChoice: 'auto',
  };
  const askAt = (at: ModelAccess, signal = live()) => collect(adapter.prepare(request, at).send(signal));
  const lastOf = async (reply: RecordedReply) => (await askAt(access((await serve(reply)).url))).at(-1);

  it('sends a request once, as it was counted and digested, with the key', async () => {
    const { url, requests } = await serve(sse(...begun, ...ended));
    const call = adapter.prepare(request, access(`${url}/`));
    expect(await collect(call.send(live()))).toMatchObject([
      { type: 'text_delta', text: 'hé' },
      {
        type: 'response',
        response: { text: 'hé', responseId: 'r', model: 'm-1', usage: { inputTokens: 3, outputTokens: 2 } },
      },
    ]);
    const [sent] = requests;
    expect(requests).toHaveLength(1);
    expect(sent?.path).toBe(client.path);
    expect(sent?.headers[client.key]).toBe(client.keyOf('key-of-the-tenant'));
    expect(sent?.headers['content-type']).toBe('application/json');
    expect(JSON.stringify(sent?.headers).match(/key-of-the-tenant/g)).toHaveLength(1);
    expect(Buffer.byteLength(sent?.body ?? '')).toBe(call.requestBytes);
    const digest = createHash('sha256').update(sent?.body ?? '');
    expect(call.requestDigest).toBe(`sha256:${digest.digest('hex')}`);
  });

  it('leaves the environment of the process to the process', async () => {
    Object.assign(env, client.variables);
    try {
      const { url, requests } = await serve(sse(...begun, ...ended));
      await askAt(access(url));
      expect(JSON.stringify(requests[0]?.headers)).not.toContain('not-for-tenants');
    } finally {
      // biome-ignore lint/style/noProcessEnv: the SDK reads it, and must be kept from that.
      for (const name of Object.keys(client.variables)) delete env[name];
    }
  });

  it('goes to the vendor where no base URL is set', async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input));
      return new Response('{}', { status: 500 });
    };
    await askAt(access(null, { fetch }));
    expect(asked).toEqual([client.home]);
  });

  it('with a key that is no header sends nothing, and does not show the key', async () => {
    const [failure] = await askAt(access('http://127.0.0.1', { apiKey: 'broken\nkey' }));
    expect(failure).toMatchObject({ failure: { code: 'bad_request', neverSent: true } });
    expect(JSON.stringify(failure)).not.toContain('broken');
  });

  it.each([
    ['cut by its connection', { ...sse(...begun), isCut: true }],
    ['that just ends', sse(...begun)],
    ['with a message that is no JSON', sse(...begun, 'event: x\ndata: {"type":\n\n', ...ended)],
    ['that never began', sse('')],
  ])('a stream %s is a failed attempt', async (_, reply) => {
    const failure = { code: 'unreadable', status: null, neverSent: false, usage: null };
    expect(await lastOf(reply)).toMatchObject({ type: 'failure', failure });
  });

  it.each([
    ['JSON that is none', { ...json({}, 200), pieces: ['{"output":'] }],
    ['JSON of another kind', json({ object: 'list' }, 200)],
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, pieces: ['<html>'] }],
  ])('%s is a failed attempt', async (_, reply) => {
    expect(await lastOf(reply)).toMatchObject({ failure: { code: 'unreadable', usage: null } });
  });

  it('tries an HTTP error once only, and says when to come back', async () => {
    const { url, requests } = await serve(
      json({ error: { message: 'slow down', type: 'rate_limit_error' } }, 429, {
        'retry-after': '2',
        'x-should-retry': 'true',
      }),
    );
    expect(await askAt(access(url))).toMatchObject([
      { failure: { code: 'rate_limited', status: 429, retryAfterMs: 2_000, message: 'HTTP 429: slow down' } },
    ]);
    expect(requests).toHaveLength(1);
  });

  it('does not follow a redirect', async () => {
    const { url, requests } = await serve(json({}, 307, { location: '/elsewhere' }));
    expect(await askAt(access(url))).toMatchObject([{ failure: { code: 'bad_request', status: 307 } }]);
    expect(requests).toHaveLength(1);
  });

  it('says of a provider that cannot be reached that nothing was sent', async () => {
    const gone = await serveRecorded(() => sse());
    await gone.close();
    expect(await askAt(access(gone.url))).toMatchObject([
      { failure: { code: 'overloaded', neverSent: true, status: null } },
    ]);
  });

  it('given up before it began sends nothing', async () => {
    expect(await askAt(access('http://x', { fetch: neverCalled }), AbortSignal.abort())).toMatchObject([
      { failure: { code: 'aborted', neverSent: true } },
    ]);
  });

  it('given up while the SDK is loaded sends nothing', async () => {
    const controller = new AbortController();
    const events = askAt(access('http://x', { fetch: neverCalled }), controller.signal);
    controller.abort();
    expect(await events).toMatchObject([{ failure: { code: 'aborted', neverSent: true } }]);
  });

  it('given up while it streams ends with what had arrived', async () => {
    const { url } = await serve({ ...sse(...begun), isHeld: true });
    const controller = new AbortController();
    const found: ModelEvent[] = [];
    for await (const each of adapter.prepare(request, access(url)).send(controller.signal)) {
      found.push(each);
      controller.abort();
    }
    expect(found).toMatchObject([
      { type: 'text_delta', text: 'hé' },
      { type: 'failure', failure: { code: 'aborted', neverSent: false, usage: null } },
    ]);
  });

  it('ends the connection for a reader that leaves', async () => {
    const left = new Promise<void>((resolve) => {
      const fetch: typeof globalThis.fetch = async (_, init) => {
        init?.signal?.addEventListener('abort', () => resolve());
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from(begun.join(''))),
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      };
      void (async () => {
        const events = adapter.prepare(request, access('http://x', { fetch })).send(live());
        for await (const each of events) if (each.type === 'text_delta') break;
      })();
    });
    await expect(left).resolves.toBeUndefined();
  });
});
