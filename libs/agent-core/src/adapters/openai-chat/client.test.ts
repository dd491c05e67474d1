import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../model/conversation.js';
import type { ModelAccess } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import { type RecordedReply, type RecordedServer, serveRecorded } from '../../testing/recorded-server.js';
import { createOpenAiChatAdapter } from './client.js';

const adapter = createOpenAiChatAdapter();
const live = () => new AbortController().signal;

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  choice: { provider: 'openai-compatible', model: 'm' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'a\u0000 \ud800 é 😀' }],
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

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, finish: string | null = null) =>
  event({ id: 'r', model: 'm-1', choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const USAGE = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });
const DONE = 'data: [DONE]\n\n';

const sse = (...pieces: readonly (string | Uint8Array)[]): RecordedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  pieces,
});
const json = (body: unknown, status = 200, headers = {}): RecordedReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
});

let server: RecordedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(reply: RecordedReply): Promise<RecordedServer> {
  server = await serveRecorded(() => reply);
  return server;
}

async function lastOf(reply: RecordedReply): Promise<ModelEvent | undefined> {
  const { url } = await serve(reply);
  return (await collect(adapter.prepare(request(), access(url)).send(live()))).at(-1);
}

describe('a request', () => {
  it('is sent once as it was counted and digested, to the base URL, with the key', async () => {
    const { url, requests } = await serve(sse(delta('hi', 'stop'), USAGE, DONE));
    const call = adapter.prepare(request(), access(`${url}/v1/`));
    await collect(call.send(live()));
    const [sent] = requests;
    expect(requests).toHaveLength(1);
    expect(sent?.path).toBe('/v1/chat/completions');
    expect(sent?.headers.authorization).toBe('Bearer key-of-the-tenant');
    expect(sent?.headers['content-type']).toBe('application/json');
    expect(Buffer.byteLength(sent?.body ?? '')).toBe(call.requestBytes);
    expect(call.requestDigest).toBe(
      `sha256:${createHash('sha256')
        .update(sent?.body ?? '')
        .digest('hex')}`,
    );
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ messages: [{ content: 'a\u0000 \ud800 é 😀' }] });
  });

  it('carries no key where there is none', async () => {
    const { url, requests } = await serve(sse(delta('hi', 'stop'), DONE));
    await collect(adapter.prepare(request(), access(url, { apiKey: '' })).send(live()));
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('to a compatible server without a base URL goes nowhere, least of all to OpenAI', async () => {
    const fetch = () => Promise.reject(new Error('must not be called'));
    for (const baseUrl of [null, '']) {
      const events = await collect(adapter.prepare(request(), access(baseUrl, { fetch })).send(live()));
      expect(events).toMatchObject([{ type: 'failure', failure: { code: 'bad_request', neverSent: true } }]);
    }
  });

  it('with a key that is no header is never sent, and the key is not shown', async () => {
    const apiKey = 'broken\nkey';
    const [failure] = await collect(
      adapter.prepare(request(), access('http://127.0.0.1', { apiKey })).send(live()),
    );
    expect(failure).toMatchObject({ failure: { code: 'bad_request', neverSent: true } });
    expect(JSON.stringify(failure)).not.toContain('broken');
  });

  it('to OpenAI itself needs no base URL', async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input));
      return new Response('{}', { status: 500 });
    };
    const choice = { provider: 'openai', model: 'm' } as const;
    await collect(adapter.prepare(request({ choice }), access(null, { fetch })).send(live()));
    expect(asked).toEqual(['https://api.openai.com/v1/chat/completions']);
  });
});

describe('a reply', () => {
  const text = 'aé😀\u0000z';
  const body = Buffer.from(delta(text) + delta('', 'stop') + USAGE + DONE);

  it('means the same wherever its bytes are split, within a character too', async () => {
    for (let at = 1; at < body.length; at += 1) {
      const pieces = new ReadableStream({
        start(controller) {
          controller.enqueue(body.subarray(0, at));
          controller.enqueue(body.subarray(at));
          controller.close();
        },
      });
      const fetch = async () => new Response(pieces, { headers: { 'content-type': 'text/event-stream' } });
      const events = await collect(adapter.prepare(request(), access('http://x', { fetch })).send(live()));
      expect(events.at(-1)).toMatchObject({
        type: 'response',
        response: { text, usage: { inputTokens: 3 } },
      });
    }
  }, 60_000);

  it('may be one JSON body although a stream was asked for', async () => {
    const choices = [{ message: { content: 'hi' }, finish_reason: 'stop' }];
    expect(await lastOf(json({ id: 'r', model: 'm-1', choices }))).toMatchObject({
      type: 'response',
      response: { text: 'hi', responseId: 'r', model: 'm-1' },
    });
  });

  it('may hold comments, carriage returns and events of unknown kinds', async () => {
    const strange = `: ping\r\n\r\nevent: ping\r\ndata: {"type":"ping"}\r\n\r\n`;
    expect(await lastOf(sse(strange, delta('hi', 'stop').replaceAll('\n', '\r\n'), DONE))).toMatchObject({
      response: { text: 'hi' },
    });
  });
});

describe('a reply that cannot be used is a failed attempt', () => {
  it.each([
    ['a stream cut by its connection', { ...sse(delta('hi'), USAGE), isCut: true }],
    ['a stream that just ends', sse(delta('hi'), USAGE)],
    ['a chunk that is no JSON', sse(USAGE, 'data: {"choices":\n\n', delta('', 'stop'), DONE)],
  ])('%s, whose running totals are no final usage', async (_, reply) => {
    const failure = { code: 'unreadable', status: null, neverSent: false, usage: null };
    expect(await lastOf(reply)).toMatchObject({ type: 'failure', failure });
  });

  it.each([
    ['JSON that is none', json('{"choices":')],
    ['no body at all', json('')],
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, pieces: ['<html>'] }],
  ])('%s', async (_, reply) => {
    expect(await lastOf(reply)).toMatchObject({
      type: 'failure',
      failure: { code: 'unreadable', usage: null },
    });
  });

  it('and an error in the stream says what it is', async () => {
    const error = event({ error: { message: 'upstream is gone', code: 502 } });
    const failure = { code: 'overloaded', status: null, message: 'in the reply: upstream is gone' };
    expect(await lastOf(sse(delta('hi'), error))).toMatchObject({ type: 'failure', failure });
  });
});

describe('an HTTP error', () => {
  it('is tried once only, and says when to come back', async () => {
    const reply = json({ error: { message: 'slow down', code: 'rate_limit_exceeded' } }, 429, {
      'retry-after': '2',
    });
    const { url, requests } = await serve(reply);
    const events = await collect(adapter.prepare(request(), access(url)).send(live()));
    expect(events).toMatchObject([
      { failure: { code: 'rate_limited', status: 429, retryAfterMs: 2_000, message: 'HTTP 429: slow down' } },
    ]);
    expect(requests).toHaveLength(1);
  });

  it.each([
    [{ message: 'flat words', code: 'x' }],
    [{ detail: 'flat words' }],
    [{ error: 'flat words' }],
    [[{ error: { message: 'flat words', code: 400 } }]],
  ])('is read whatever the shape of its body: %j', async (body) => {
    expect(await lastOf(json(body, 400))).toMatchObject({ failure: { message: 'HTTP 400: flat words' } });
  });

  it.each([[''], ['<html>'], ['null']])('may have no body that can be read: %j', async (body) => {
    expect(await lastOf(json(body, 503))).toMatchObject({ failure: { code: 'overloaded', status: 503 } });
  });

  it('is what a redirect is: it is not followed', async () => {
    const { url, requests } = await serve(json({}, 307, { location: '/elsewhere' }));
    const [failure] = await collect(adapter.prepare(request(), access(url)).send(live()));
    expect(failure).toMatchObject({ failure: { code: 'bad_request', status: 307 } });
    expect(requests).toHaveLength(1);
  });
});

describe('a provider that cannot be reached', () => {
  it('was never sent anything', async () => {
    const gone = await serveRecorded(() => sse());
    await gone.close();
    expect(await collect(adapter.prepare(request(), access(gone.url)).send(live()))).toMatchObject([
      { failure: { code: 'overloaded', neverSent: true, status: null } },
    ]);
  });

  it('because fetch refuses its port was never sent anything, and will not be', async () => {
    const call = adapter.prepare(request(), access('http://127.0.0.1:6666'));
    expect(await collect(call.send(live()))).toMatchObject([
      { failure: { code: 'bad_request', neverSent: true } },
    ]);
  });
});

describe('a call that is given up', () => {
  it('before it began is never sent', async () => {
    const fetch = () => Promise.reject(new Error('must not be called'));
    const call = adapter.prepare(request(), access('http://x', { fetch }));
    expect(await collect(call.send(AbortSignal.abort()))).toMatchObject([
      { failure: { code: 'aborted', neverSent: true } },
    ]);
  });

  it('while it streams ends with what had arrived', async () => {
    const { url } = await serve({ ...sse(USAGE, delta('hi')), isHeld: true });
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

  it('before its headers came is aborted', async () => {
    const controller = new AbortController();
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')));
        controller.abort();
      });
    const call = adapter.prepare(request(), access('http://x', { fetch }));
    expect(await collect(call.send(controller.signal))).toMatchObject([
      { failure: { code: 'aborted', neverSent: false } },
    ]);
  });

  it('by a reader that leaves ends the connection', async () => {
    const left = new Promise<void>((resolve) => {
      const fetch: typeof globalThis.fetch = async (_, init) => {
        init?.signal?.addEventListener('abort', () => resolve());
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from(delta('hi'))),
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      };
      const call = adapter.prepare(request(), access('http://x', { fetch }));
      void (async () => {
        for await (const found of call.send(live())) if (found.type === 'text_delta') break;
      })();
    });
    await expect(left).resolves.toBeUndefined();
  });
});
