import { GoogleGenAI } from '@google/genai';
import fc from 'fast-check';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { ModelEvent, ModelResponse } from '../../../model/model-event.js';
import type { JsonText } from '../../../shared/brand.js';
import { ask, askLocally } from '../../../testing/ask-adapter.js';
import type { RecordedReply } from '../../../testing/recorded-server.js';
import { createInteractionsAdapter } from './adapter.js';

const adapter = createInteractionsAdapter();

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  choice: { provider: 'google', api: 'interactions', model: 'gemini-3-pro' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
  ...change,
});

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const headers = { 'content-type': 'text/event-stream' };
const sse = (...pieces: readonly string[]): RecordedReply => ({ status: 200, headers, pieces });
const created = event({
  event_type: 'interaction.created',
  interaction: { id: 'v1_a', status: 'in_progress', object: 'interaction', model: 'gemini-3-pro' },
});
const start = (index: number, step: object) => event({ event_type: 'step.start', index, step });
const delta = (index: number, piece: object) => event({ event_type: 'step.delta', index, delta: piece });
const stop = (index: number) => event({ event_type: 'step.stop', index });
const completed = (status: string, more: object = {}) =>
  event({
    event_type: 'interaction.completed',
    interaction: {
      id: 'v1_a',
      status,
      model: 'gemini-3-pro',
      usage: {
        total_tokens: 133,
        total_input_tokens: 53,
        total_cached_tokens: 20,
        total_output_tokens: 15,
        total_tool_use_tokens: 0,
        total_thought_tokens: 65,
      },
      ...more,
    },
  });

const thought = [
  start(0, { type: 'thought' }),
  delta(0, { type: 'thought_signature', signature: 'si+/==' }),
  stop(0),
];
const call = (index: number, id: string, ...pieces: readonly string[]) => [
  start(index, { type: 'function_call', id, name: 'pay', arguments: {}, signature: '' }),
  ...pieces.map((piece) => delta(index, { type: 'arguments_delta', arguments: piece })),
  stop(index),
];

async function lastOf(
  reply: RecordedReply,
  change: Partial<ModelRequest> = {},
): Promise<ModelEvent | undefined> {
  return (await ask({ adapter, request: request(change) }, reply)).at(-1);
}

async function responseOf(...pieces: readonly string[]): Promise<ModelResponse> {
  const last = await lastOf(sse(...pieces));
  if (last?.type !== 'response') throw new Error(JSON.stringify(last));
  return last.response;
}

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

describe('a reply', () => {
  it('holds text, calls with every digit, usage, and steps with their signatures', async () => {
    const pieces = [
      created,
      ...thought,
      start(1, { type: 'model_output' }),
      delta(1, { type: 'text', text: 'I will ' }),
      delta(1, { type: 'text', text: 'pay.' }),
      stop(1),
      ...call(2, 'c1', '{"n":90071992', '54740993}'),
      ...call(3, 'c2'),
      completed('requires_action'),
      'data: [DONE]\n\n',
    ];
    const events = await ask({ adapter, request: request() }, sse(...pieces));
    expect(events.slice(0, -1)).toEqual([
      { type: 'text_delta', text: 'I will ' },
      { type: 'text_delta', text: 'pay.' },
      { type: 'call_delta', index: 0, tool: 'pay' },
      { type: 'call_delta', index: 1, tool: 'pay' },
    ]);
    const steps =
      '[{"type":"thought","signature":"si+/=="},{"type":"model_output","content":[{"type":"text","text":"I will pay."}]},{"type":"function_call","id":"c1","name":"pay","arguments":{"n":9007199254740993},"signature":""},{"type":"function_call","id":"c2","name":"pay","arguments":{},"signature":""}]';
    expect(events.at(-1)).toEqual({
      type: 'response',
      response: {
        responseId: 'v1_a',
        model: 'gemini-3-pro',
        text: 'I will pay.',
        refusal: null,
        calls: [
          { providerCallId: 'c1', tool: 'pay', arguments: '{"n":9007199254740993}' },
          { providerCallId: 'c2', tool: 'pay', arguments: '{}' },
        ],
        finish: { unified: 'tool_calls', raw: 'requires_action' },
        usage: {
          inputTokens: 53,
          cachedInputTokens: 20,
          cacheWriteTokens: 0,
          outputTokens: 80,
          reasoningTokens: 65,
        },
        raw: [{ provider: 'google', api: 'interactions', json: `{"steps":${steps}}` }],
      },
    });
  });

  it('means the same wherever it is split, and byte by byte', async () => {
    const body = Buffer.from(
      [created, ...thought, ...call(1, 'c1', '{"é":"😀"}'), completed('completed')].join(''),
    );
    const question = { adapter, request: request() };
    const expected = await ask(question, { status: 200, headers, pieces: [body] });
    expect(expected.at(-1)).toMatchObject({ response: { finish: { unified: 'tool_calls' } } });
    for (let at = 1; at < body.length; at += 1) {
      const pieces = [body.subarray(0, at), body.subarray(at)];
      expect(await askLocally(question, { status: 200, headers }, pieces)).toEqual(expected);
    }
    const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1));
    expect(await askLocally(question, { status: 200, headers }, bytes)).toEqual(expected);
  }, 60_000);

  it('may be one whole interaction although a stream was asked for', async () => {
    const steps = [
      { type: 'thought', signature: 's' },
      { type: 'model_output', content: [{ type: 'text', text: 'hi' }] },
    ];
    const body = JSON.stringify({ id: 'v1_a', status: 'completed', model: 'm', steps });
    const json = { status: 200, headers: { 'content-type': 'application/json' }, pieces: [body] };
    expect(await lastOf(json)).toMatchObject({
      response: { text: 'hi', responseId: 'v1_a', model: 'm', usage: null, finish: { unified: 'stop' } },
    });
  });

  it.each([
    ['completed', 'stop'],
    ['incomplete', 'max_tokens'],
    ['requires_continuation', 'max_tokens'],
    ['requires_action', 'tool_calls'],
    ['budget_exceeded', 'error'],
    ['a_word_of_tomorrow', 'error'],
  ])('of status %s ends as %s', async (raw, unified) => {
    expect((await responseOf(created, completed(raw))).finish).toEqual({ unified, raw });
  });

  it.each<[string, readonly string[], object]>([
    ['ends before its end', [created, ...thought], { code: 'unreadable', usage: null }],
    [
      'is still under way at its end',
      [created, completed('in_progress')],
      { code: 'unreadable', usage: null },
    ],
    [
      "ends within a call's arguments",
      [created, ...call(0, 'c', '{"a":').slice(0, -1), completed('requires_action')],
      { code: 'unreadable', usage: { outputTokens: 80 } },
    ],
    ['failed', [created, completed('failed')], { code: 'unreadable', usage: { outputTokens: 80 } }],
    [
      'failed with a reason',
      [
        created,
        start(0, { type: 'model_output', error: { code: 14, message: 'try later' } }),
        completed('failed'),
      ],
      { message: 'in the reply: try later' },
    ],
    [
      'holds an error',
      [created, event({ event_type: 'error', error: { code: 'unavailable', message: 'busy' } })],
      { code: 'overloaded', message: 'in the reply: busy' },
    ],
  ])('that %s is a failed attempt', async (_, pieces, failure) => {
    expect(await lastOf(sse(...pieces))).toMatchObject({ type: 'failure', failure });
  });

  it('of any shape never throws', async () => {
    const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }));
    const step = fc.record(
      {
        type: fc.oneof(anything, fc.constantFrom('thought', 'model_output', 'function_call')),
        content: anything,
        summary: anything,
        arguments: anything,
        id: anything,
        name: anything,
      },
      { requiredKeys: [] },
    );
    const piece = fc.record(
      {
        type: fc.oneof(
          anything,
          fc.constantFrom('text', 'arguments_delta', 'thought_signature', 'thought_summary'),
        ),
        text: anything,
        arguments: anything,
        signature: anything,
        content: anything,
      },
      { requiredKeys: [] },
    );
    const shape = fc.record(
      {
        event_type: fc.oneof(
          anything,
          fc.constantFrom('step.start', 'step.delta', 'step.stop', 'interaction.completed', 'error'),
        ),
        index: fc.oneof(anything, fc.nat(2)),
        step: fc.oneof(anything, step),
        delta: fc.oneof(anything, piece),
        interaction: fc.oneof(
          anything,
          fc.record({ status: fc.constantFrom('completed', 'x', 'failed'), steps: fc.array(step) }),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(anything, shape), { maxLength: 6 }), async (values) => {
        const body = Buffer.from(values.map(event).join(''));
        const found = await askLocally({ adapter, request: request() }, { status: 200, headers }, [body]);
        expect(['response', 'failure']).toContain(found.at(-1)?.type);
      }),
    );
  });
});

describe('a request', () => {
  const turn = (raw: readonly object[]) =>
    [
      { role: 'user', text: 'q \ud800' },
      {
        role: 'assistant',
        text: 'said',
        calls: [{ callId: 'tcl_1', tool: '9pay', arguments: '{"n":9007199254740993}' }],
        raw: raw as never,
      },
      { role: 'tool', callId: 'tcl_1', tool: '9pay', text: 'paid', isError: true },
    ] satisfies readonly ConversationItem[];
  const steps =
    '[{"type":"thought","signature":"s=="},{"type":"function_call","id":"g1","name":"_9pay","arguments":{"n":1.0}}]';
  const tools = [
    {
      name: '9pay',
      description: 'Pays.',
      parameters: '{"type":"object","properties":{"n":{"type":"integer"}}}' as JsonText,
    },
  ];

  it('goes to its own path, stores nothing, and carries the whole conversation', async () => {
    const body = await bodyOf({
      conversation: turn([]),
      tools,
      toolChoice: { tool: '9pay' },
      instructions: 'Be.',
    });
    expect(body).toBe(
      '{"model":"gemini-3-pro","input":[{"type":"user_input","content":[{"type":"text","text":"q \ufffd"}]},{"type":"model_output","content":[{"type":"text","text":"said"}]},{"type":"function_call","id":"tcl_1","name":"_9pay","arguments":{"n":9007199254740993}},{"type":"function_result","call_id":"tcl_1","name":"_9pay","is_error":true,"result":"paid"}],"system_instruction":"Be.","tools":[{"type":"function","name":"_9pay","description":"Pays.","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}],"generation_config":{"max_output_tokens":100,"tool_choice":{"allowed_tools":{"mode":"any","tools":["_9pay"]}}},"store":false,"stream":true}',
    );
  });

  it('sends its own steps back byte for byte, and the results under the ids that Google gave', async () => {
    const raw = [{ provider: 'google', api: 'interactions', json: `{"steps":${steps}}` }];
    const body = await bodyOf({ conversation: turn(raw) });
    expect(body).toContain(`${steps.slice(1, -1)},{"type":"function_result","call_id":"g1","name":"_9pay"`);
    for (const other of [
      { provider: 'google', api: 'generateContent' },
      { provider: 'openai', api: 'interactions' },
    ]) {
      const sent = await bodyOf({ conversation: turn([{ ...other, json: `{"steps":${steps}}` }]) });
      expect(sent).not.toContain('s==');
    }
  });

  it('is one that the SDK itself would send', async () => {
    const change = {
      conversation: turn([]).map((item) => (item.role === 'user' ? { ...item, text: 'q' } : item)),
      tools,
      toolChoice: 'required' as const,
      instructions: 'Be.',
      choice: { provider: 'google', model: 'gemini-3-pro', reasoningEffort: 'LOW', temperature: 0 } as const,
    };
    const body = JSON.parse((await bodyOf(change)).replace('9007199254740993', '7')) as Record<
      string,
      unknown
    >;
    const sent: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      const asked = input as Request;
      sent.push({ path: new URL(asked.url).pathname, body: await asked.json() });
      return new Response(completed('completed'), { headers });
    };
    const sdk = new GoogleGenAI({
      apiKey: 'k',
      vertexai: false,
      httpOptions: { baseUrl: 'http://x', fetch },
    });
    await sdk.interactions.create(body as never);
    expect(sent).toEqual([{ path: '/v1beta/interactions', body }]);
  });

  it('asks for a stream at its path, with the key', async () => {
    const asked: { url: string; headers: Headers }[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push({ url: String(input), headers: new Headers(init?.headers) });
      return new Response(completed('completed'), { headers });
    };
    const prepared = adapter.prepare(request(), { apiKey: 'k', baseUrl: 'http://x/', fetch });
    for await (const _ of prepared.send(new AbortController().signal));
    expect(asked.map(({ url }) => url)).toEqual(['http://x/v1beta/interactions']);
    expect(asked[0]?.headers.get('accept')).toBe('text/event-stream');
    expect(asked[0]?.headers.get('x-goog-api-key')).toBe('k');
  });
});
