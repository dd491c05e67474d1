import fc from 'fast-check';
import type { ModelRequest } from '../../../model/conversation.js';
import type { ModelEvent, ModelResponse } from '../../../model/model-event.js';
import { ask, askLocally, placesBefore } from '../../../testing/ask-adapter.js';
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

  it('goes back with arguments that cannot be read inside an object: not as if there had been none', async () => {
    const { raw, calls } = await responseOf(
      created,
      ...call(0, 'c1', '{"n":'),
      ...call(1, 'c2', '{"s":"\\ud800"}'),
      completed('requires_action'),
    );
    expect(calls.map((each) => each.arguments)).toEqual(['{"n":', '{"s":"\\ud800"}']);
    expect(raw[0]?.json).toContain('"id":"c1","name":"pay","arguments":{"unreadable_arguments":"{\\"n\\":"}');
    expect(raw[0]?.json).toContain('"id":"c2","name":"pay","arguments":{"s":"\ufffd"}');
  });

  it('means the same wherever it is split, and byte by byte', async () => {
    const body = Buffer.from(
      [created, ...thought, ...call(1, 'c1', '{"é":"😀"}'), completed('completed')].join(''),
    );
    const question = { adapter, request: request() };
    const expected = await ask(question, { status: 200, headers, pieces: [body] });
    expect(expected.at(-1)).toMatchObject({ response: { finish: { unified: 'tool_calls' } } });
    for (const at of placesBefore(body.length)) {
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

describe('a stream that does not say which call a piece belongs to', () => {
  const begin = (place: object) =>
    event({ event_type: 'step.start', ...place, step: { type: 'function_call', id: 'c', name: 'pay' } });
  const piece = (place: object) =>
    event({ event_type: 'step.delta', ...place, delta: { type: 'arguments_delta', arguments: '{}' } });

  it.each([
    ['two calls have one place', [...call(0, 'c1', '{"n":1}'), ...call(0, 'c2', '{"n":2}')]],
    ['two calls have none', [begin({}), piece({}), begin({}), piece({})]],
    ['arguments come for a call that never began', [...call(0, 'c1'), piece({ index: 1 })]],
    ['arguments come after the end of their call', [...call(0, 'c1', '{}'), piece({ index: 0 })]],
  ])('is no reply where %s', async (_, pieces) => {
    expect(await lastOf(sse(created, ...pieces, completed('requires_action')))).toMatchObject({
      failure: { code: 'unreadable' },
    });
  });
});
