import type { ModelEvent } from '../../model/model-event.js';
import { type DecodeContext, decodeReply, decodeStream } from './decode.js';

const context: Omit<DecodeContext, 'doneSeen'> = {
  choice: { provider: 'openai-compatible', model: 'asked-for' },
  server: 'openai-compatible:0',
  toFailure: (reason, usage) => ({
    code: 'unreadable',
    message: reason instanceof Error ? reason.message : '',
    status: null,
    neverSent: false,
    retryAfterMs: null,
    usage,
  }),
};

async function events(chunks: readonly unknown[], isDone = true): Promise<readonly ModelEvent[]> {
  async function* stream() {
    yield* chunks;
  }
  const found: ModelEvent[] = [];
  for await (const event of decodeStream(stream(), { ...context, doneSeen: () => isDone })) found.push(event);
  return found;
}

async function response(chunks: readonly unknown[]) {
  const last = (await events(chunks)).at(-1);
  if (last?.type !== 'response') throw new Error('no response');
  return last.response;
}

const chunk = (delta: unknown, finish: unknown = null, rest = {}) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...rest,
});
const USAGE = { prompt_tokens: 10, completion_tokens: 5 };

describe('the end of a reply', () => {
  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['length', 'max_tokens'],
    ['content_filter', 'content_filter'],
    ['eos', 'error'],
  ])('%s is %s, and the word is kept', async (raw, unified) => {
    expect((await response([chunk({ content: 'x' }, raw)])).finish).toEqual({ unified, raw });
  });

  it.each([[''], [null], [undefined]])('%j is an error in a whole reply', (raw) => {
    const [, last] = decodeReply({ choices: [{ message: { content: 'x' }, finish_reason: raw }] }, context);
    expect(last).toMatchObject({
      type: 'response',
      response: { text: 'x', finish: { unified: 'error', raw: '' } },
    });
  });

  it('is a refusal where the model refused, whatever the word says', async () => {
    const found = await response([
      chunk({ refusal: 'I will ' }),
      chunk({ refusal: 'not.' }),
      chunk({}, 'stop'),
    ]);
    expect(found).toMatchObject({ refusal: 'I will not.', finish: { unified: 'refusal', raw: 'stop' } });
  });

  it('keeps the calls of a forced tool that ends with stop', async () => {
    const call = { index: 0, id: 'a', function: { name: 'find', arguments: '{}' } };
    const found = await response([chunk({ tool_calls: [call] }, 'stop')]);
    expect(found.finish.unified).toBe('stop');
    expect(found.calls).toEqual([{ providerCallId: 'a', tool: 'find', arguments: '{}' }]);
  });

  it('keeps the call that a length limit cut, even before its first argument, under a word that lets nothing run', async () => {
    const calls = [
      { index: 0, id: 'a', function: { name: 'find', arguments: '{"q":1}' } },
      { index: 1, id: 'b', function: { name: 'refund', arguments: '' } },
    ];
    const cut = await response([chunk({ tool_calls: calls }, 'length')]);
    expect(cut.finish.unified).toBe('max_tokens');
    expect(cut.calls.map((call) => call.arguments)).toEqual(['{"q":1}', '']);
  });
});

describe('a stream that was cut', () => {
  it.each([
    ['before any word of its end', [chunk({ content: 'all of it' })], true],
    ['with empty words alone', [chunk({ content: 'x' }, ''), chunk({}, '')], true],
    ['after the word, before its last chunk', [chunk({ content: 'x' }, 'stop')], false],
    ['before it began', [], true],
  ])('%s is a failed attempt', async (_, chunks, isDone) => {
    expect((await events(chunks, isDone)).at(-1)).toMatchObject({
      type: 'failure',
      failure: { code: 'unreadable' },
    });
  });

  it('is whole without [DONE] where the usage that was asked for came', async () => {
    const chunks = [chunk({ content: 'x' }, 'stop'), { choices: [], usage: USAGE }];
    expect((await events(chunks, false)).at(-1)?.type).toBe('response');
    expect((await events([chunk({}, 'stop', { usage: USAGE })], false)).at(-1)?.type).toBe('response');
  });

  it('has no usage before the reason of its end: running totals are no word on what it cost', async () => {
    const [failure] = await events([chunk({}, null, { usage: USAGE })]);
    expect(failure).toMatchObject({ failure: { usage: null } });
  });
});

describe('text', () => {
  it('arrives in pieces and as a whole, NUL and lone surrogates too', async () => {
    const found = await events([
      chunk({ content: 'a\u0000' }),
      chunk({ content: '\ud83d' }),
      chunk({ content: '\ude00' }, 'stop'),
    ]);
    expect(found.map((event) => (event.type === 'text_delta' ? event.text : event.type))).toEqual([
      'a\u0000',
      '\ud83d',
      '\ude00',
      'response',
    ]);
    expect(found.at(-1)).toMatchObject({ response: { text: 'a\u0000😀' } });
  });

  it('may be a list of parts', async () => {
    const content = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'x' },
    ];
    expect((await response([chunk({ content }, 'stop')])).text).toBe('x');
  });

  it('is that of the first choice', async () => {
    const chunks = [{ choices: [{ index: 1, delta: { content: 'no' } }] }, chunk({ content: 'yes' }, 'stop')];
    expect((await response(chunks)).text).toBe('yes');
  });
});

describe('calls', () => {
  it('are announced once, with the first sight of their name', async () => {
    const first = { index: 0, id: 'a', function: { name: 'find', arguments: '' } };
    const next = { index: 0, id: 'a', function: { name: 'find', arguments: '{}' } };
    const found = await events([chunk({ tool_calls: [first] }), chunk({ tool_calls: [next] }, 'tool_calls')]);
    expect(found.filter((event) => event.type === 'call_delta')).toEqual([
      { type: 'call_delta', index: 0, tool: 'find' },
    ]);
  });

  it('in the old form have no id', async () => {
    const chunks = [
      chunk({ function_call: { name: 'find', arguments: '{"q"' } }),
      chunk({ function_call: { arguments: ':1}' } }, 'function_call'),
    ];
    expect((await response(chunks)).calls).toEqual([
      { providerCallId: null, tool: 'find', arguments: '{"q":1}' },
    ]);
  });

  it('with too large arguments end the attempt at once', async () => {
    const call = { index: 0, id: 'a', function: { name: 'find', arguments: 'x'.repeat(1024 * 1024 + 1) } };
    const found = await events([chunk({ tool_calls: [call] }), chunk({ content: 'never read' }, 'stop')]);
    expect(found.map((event) => event.type)).toEqual(['call_delta', 'failure']);
  });
});

describe('usage', () => {
  const usageOf = async (usage: unknown, rest = {}) =>
    (await response([chunk({}, 'stop', { usage, ...rest })])).usage;

  it('counts cached input and reasoning once, within their totals', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 30 },
    };
    expect(await usageOf(usage)).toEqual({
      inputTokens: 100,
      cachedInputTokens: 80,
      cacheWriteTokens: 5,
      outputTokens: 50,
      reasoningTokens: 30,
    });
  });

  it('adds reasoning that a server counts in its total alone', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 405,
      completion_tokens_details: { reasoning_tokens: 300 },
    };
    expect(await usageOf(usage)).toMatchObject({ outputTokens: 305, reasoningTokens: 300 });
  });

  it('is found where other servers put it', async () => {
    expect(await usageOf(null, { x_groq: { usage: USAGE } })).toMatchObject({ inputTokens: 10 });
    const usage = { ...USAGE, prompt_cache_hit_tokens: 7 };
    expect(await usageOf(usage)).toMatchObject({ cachedInputTokens: 7 });
  });

  it.each([
    [null],
    [{}],
    [{ prompt_tokens: -1, completion_tokens: 1 }],
    [{ prompt_tokens: '3', completion_tokens: 1 }],
  ])('%j is none', async (usage) => {
    expect(await usageOf(usage)).toBeNull();
  });
});

describe('what a server wants to see again', () => {
  it('is put together from its pieces', async () => {
    const detail = { type: 'reasoning.text', id: 'r', index: 0, format: 'f' };
    const [raw] = (
      await response([
        chunk({ reasoning_content: 'be', reasoning_details: [{ ...detail, text: 'be' }] }),
        chunk({ reasoning_content: 'cause', reasoning_details: [{ ...detail, text: 'cause' }] }),
        chunk({
          reasoning_details: [
            { ...detail, signature: 's' },
            { ...detail, index: 1, text: 'x' },
          ],
        }),
        chunk({ strange: 'left out' }, 'stop'),
      ])
    ).raw;
    expect(raw).toMatchObject({ provider: 'openai-compatible', api: 'chat' });
    expect(JSON.parse(raw?.json ?? '')).toEqual({
      server: 'openai-compatible:0',
      message: {
        reasoning_content: 'because',
        reasoning_details: [
          { ...detail, text: 'because', signature: 's' },
          { ...detail, index: 1, text: 'x' },
        ],
      },
      calls: [],
    });
  });

  it('stays with the call that it came with', async () => {
    const extra = { extra_content: { google: { thought_signature: 's' } } };
    const calls = [
      { index: 0, id: 'a', function: { name: 'find', arguments: '{}' } },
      { index: 1, id: 'b', function: { name: 'send', arguments: '{}' }, ...extra },
    ];
    const [raw] = (await response([chunk({ tool_calls: calls }, 'tool_calls')])).raw;
    expect(JSON.parse(raw?.json ?? '')).toMatchObject({ calls: [{}, extra] });
  });
});

describe('an error within a reply', () => {
  it.each([[{ error: { message: 'busy' } }], [{ object: 'error', message: 'busy' }]])(
    '%j is a failure',
    async (error) => {
      expect((await events([chunk({ content: 'x' }), error, chunk({}, 'stop')])).at(-1)?.type).toBe(
        'failure',
      );
      expect(decodeReply(error, context).at(-1)?.type).toBe('failure');
    },
  );

  it.each([[null], ['text'], [{}], [{ choices: [] }], [{ choices: [{}] }]])('%j is no reply', (body) => {
    expect(decodeReply(body, context)).toMatchObject([{ type: 'failure' }]);
  });
});
