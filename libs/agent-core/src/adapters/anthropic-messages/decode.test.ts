import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { plainFailure } from '../../testing/stream-pieces.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { ErrorInReply } from '../wire/reply-error.js';
import { decodeReply, decodeStream } from './decode.js';

const reasons: unknown[] = [];
const context = {
  choice: { provider: 'anthropic', model: 'asked-for' } as const,
  server: 'anthropic:0',
  toFailure: (reason: unknown, usage: Parameters<typeof plainFailure>[1]) => {
    reasons.push(reason);
    return plainFailure(reason, usage);
  },
};

async function events(data: readonly (string | object)[]): Promise<readonly ModelEvent[]> {
  async function* messages() {
    for (const each of data) yield { data: typeof each === 'string' ? each : JSON.stringify(each) };
  }
  const found: ModelEvent[] = [];
  for await (const event of decodeStream(messages(), context)) found.push(event);
  return found;
}

const whole = (message: object) => decodeReply(JSON.stringify(message) as JsonText, context).at(-1);
const start = (usage: object = { input_tokens: 5, output_tokens: 1 }) => ({
  type: 'message_start',
  message: { id: 'r', usage },
});
const begin = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const piece = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const end = (stop_reason: string | null, usage: object = { output_tokens: 9 }) => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];
const CALL = { type: 'tool_use', id: 'a', name: 'find', input: {} };

describe('the end of a message', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'max_tokens'],
    ['pause_turn', 'pause'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_overflow'],
    ['a_new_reason', 'error'],
    [null, 'error'],
  ])('%s is %s', async (word, unified) => {
    const finish = { unified, raw: word ?? '' };
    expect((await events([start(), ...end(word)])).at(-1)).toMatchObject({ response: { finish } });
    expect(whole({ content: [], stop_reason: word })).toMatchObject({
      response: { finish, responseId: null, model: 'asked-for', usage: null },
    });
  });

  it('says why the model refused', () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'It is blocked.' };
    expect(whole({ content: [], stop_reason: 'refusal', stop_details })).toMatchObject({
      response: { refusal: 'It is blocked.' },
    });
  });

  it('is nothing but message_stop', async () => {
    const words = [start(), begin(0, { type: 'text', text: 'hi' }), stop(0), ...end('end_turn').slice(0, 1)];
    expect((await events(words)).at(-1)).toMatchObject({
      failure: { usage: { inputTokens: 5, outputTokens: 9 } },
    });
  });

  it('by an error is a failed attempt, whose running totals are no final usage', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const last = (
      await events([
        start(),
        begin(0, CALL),
        piece(0, { type: 'input_json_delta', partial_json: '{"n' }),
        error,
      ])
    ).at(-1);
    expect(last).toMatchObject({ type: 'failure', failure: { usage: null } });
    expect(reasons.at(-1)).toEqual(new ErrorInReply(error));
    expect(whole(error)).toMatchObject({ type: 'failure' });
  });
});

describe('the blocks of a message', () => {
  it.each<[string, readonly object[]]>([
    ['a piece of no block', [piece(0, { type: 'text_delta', text: 'x' })]],
    ['an end of no block', [stop(0)]],
    [
      'a piece after the end',
      [begin(0, CALL), stop(0), piece(0, { type: 'input_json_delta', partial_json: '1' })],
    ],
    ['a block within another', [begin(0, CALL), begin(0, CALL)]],
    ['a block without content', [{ type: 'content_block_start', index: 0 }]],
  ])('with %s make no reply: nothing is guessed', async (_, broken) => {
    expect((await events([start(), ...broken, ...end('tool_use')])).at(-1)).toMatchObject({
      type: 'failure',
    });
  });

  it('may all have one index, one after the other, or none', async () => {
    for (const index of [0, undefined]) {
      const at = (event: object) => ({ ...event, index });
      const call = (id: string, text: string) =>
        [begin(0, { ...CALL, id }), piece(0, { type: 'input_json_delta', partial_json: text }), stop(0)].map(
          at,
        );
      const last = (
        await events([start(), ...call('a', '{"n":1}'), ...call('b', '{"n":2}'), ...end('tool_use')])
      ).at(-1);
      expect(last).toMatchObject({
        response: {
          calls: [
            { providerCallId: 'a', arguments: '{"n":1}' },
            { providerCallId: 'b', arguments: '{"n":2}' },
          ],
        },
      });
    }
  });

  it('may bring their arguments whole, or none at all; a missing id is none', async () => {
    const withInput = { ...CALL, input: { n: 1 } };
    const { id: _, ...nameless } = CALL;
    const stream = [start(), begin(0, withInput), stop(0), begin(1, nameless), stop(1), ...end('tool_use')];
    expect((await events(stream)).at(-1)).toMatchObject({
      response: { calls: [{ arguments: '{"n":1}' }, { arguments: '', providerCallId: null }] },
    });
  });

  it('with arguments beyond the cap make no reply', async () => {
    const partial_json = 'é'.repeat(LARGEST_ARGUMENTS / 2 + 1);
    const last = (
      await events([start(), begin(0, CALL), piece(0, { type: 'input_json_delta', partial_json })])
    ).at(-1);
    expect(last).toMatchObject({ failure: { message: expect.stringContaining('1 MiB') as unknown } });
  });

  it('are kept byte for byte where only the provider understands them, in their place', async () => {
    const redacted = '{"type":"redacted_thinking", "data":"x\\u003d","y":1.0}';
    const stream = [
      start(),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      piece(0, { type: 'thinking_delta', thinking: 'so 1.0' }),
      piece(0, { type: 'signature_delta', signature: 'EqQ=' }),
      stop(0),
      `{"type":"content_block_start","index":1,"content_block":${redacted}  }`,
      stop(1),
      begin(2, { type: 'text', text: '' }),
      piece(2, { type: 'text_delta', text: 'hi' }),
      stop(2),
      begin(3, CALL),
      stop(3),
      ...end('tool_use'),
    ];
    const last = (await events(stream)).at(-1);
    const thinking = '{"type":"thinking","thinking":"so 1.0","signature":"EqQ="}';
    const blocks = `[{"raw":${thinking}},{"raw":${redacted}},{"text":2},{"call":0}]`;
    expect(last).toMatchObject({
      response: {
        text: 'hi',
        raw: [
          { provider: 'anthropic', api: 'messages', json: `{"server":"anthropic:0","blocks":${blocks}}` },
        ],
      },
    });
  });

  it('of plain words and calls leave nothing else to be kept', () => {
    expect(whole({ content: [{ type: 'text', text: 'hi' }, CALL], stop_reason: 'tool_use' })).toMatchObject({
      response: { raw: [], text: 'hi', calls: [{ providerCallId: 'a' }] },
    });
  });
});

describe('usage', () => {
  it('adds what was read from a cache and written to one to the input, once; later totals replace earlier ones', async () => {
    const first = {
      input_tokens: 5,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
    };
    const later = { input_tokens: null, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } };
    expect((await events([start(first), ...end('end_turn', later)])).at(-1)).toMatchObject({
      response: {
        usage: {
          inputTokens: 85,
          cachedInputTokens: 60,
          cacheWriteTokens: 20,
          outputTokens: 50,
          reasoningTokens: 30,
        },
      },
    });
  });

  it.each([
    [{}],
    [{ input_tokens: 1 }],
    [{ input_tokens: -1, output_tokens: 1 }],
    [{ input_tokens: '1', output_tokens: 1 }],
  ])('that is %j is none', (usage) => {
    expect(whole({ content: [], stop_reason: 'end_turn', usage })).toMatchObject({
      response: { usage: null },
    });
  });
});
