import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { plainFailure } from '../../testing/stream-pieces.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { ErrorInReply } from '../wire/reply-error.js';
import { decodeReply, decodeStream } from './decode.js';

const reasons: unknown[] = [];
const context = {
  choice: { provider: 'openai', model: 'asked-for' } as const,
  server: 'openai:0',
  toFailure: (reason: unknown, usage: Parameters<typeof plainFailure>[1]) => {
    reasons.push(reason);
    return plainFailure(reason, usage);
  },
};

async function events(data: readonly string[]): Promise<readonly ModelEvent[]> {
  async function* messages() {
    for (const each of data) yield { data: each };
  }
  const found: ModelEvent[] = [];
  for await (const event of decodeStream(messages(), context)) found.push(event);
  return found;
}

const whole = (response: object) => decodeReply(JSON.stringify(response) as JsonText, context).at(-1);
const message = (...content: object[]) => ({ type: 'message', role: 'assistant', content });
const text = { type: 'output_text', text: 'hi' };
const call = { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' };
const refusal = { type: 'refusal', refusal: 'I will not.' };

describe('the end of a response', () => {
  it.each([
    ['completed', null, [message(text)], 'stop', 'completed'],
    ['completed', null, [call], 'tool_calls', 'completed'],
    ['completed', null, [message(refusal)], 'refusal', 'completed'],
    ['incomplete', { reason: 'max_output_tokens' }, [message(text), call], 'max_tokens', 'max_output_tokens'],
    ['incomplete', { reason: 'content_filter' }, [message(text)], 'content_filter', 'content_filter'],
    ['incomplete', { reason: 'a_new_reason' }, [], 'error', 'a_new_reason'],
    ['incomplete', null, [], 'error', 'incomplete'],
    ['cancelled', null, [], 'error', 'cancelled'],
    ['in_progress', null, [call], 'error', 'in_progress'],
    ['a_new_status', null, [], 'error', 'a_new_status'],
    [undefined, null, [message(text)], 'error', ''],
  ])('%s with %j is %s', (status, incomplete_details, output, unified, raw) => {
    expect(whole({ id: 'r', status, incomplete_details, output })).toMatchObject({
      response: { finish: { unified, raw }, responseId: 'r', model: 'asked-for', usage: null },
    });
  });

  it('says why the model refused', () => {
    expect(whole({ status: 'completed', output: [message(refusal)] })).toMatchObject({
      response: { refusal: 'I will not.', text: '' },
    });
  });

  it('that failed is a failed attempt, with the usage that it reports', () => {
    const error = { code: 'rate_limit_exceeded', message: 'slow down' };
    const usage = { input_tokens: 5, output_tokens: 1 };
    const failed = { object: 'response', status: 'failed', error, output: [], usage };
    expect(whole(failed)).toMatchObject({ type: 'failure', failure: { usage: { inputTokens: 5 } } });
    expect(reasons.at(-1)).toBeInstanceOf(ErrorInReply);
    expect(reasons.at(-1)).toMatchObject({ body: error });
  });

  it.each([
    ['{"type":"error","code":"server_error","message":"gone","param":null}'],
    ['{"error":{"code":"server_error","message":"gone"}}'],
    [
      '{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"gone"}}}',
    ],
  ])('may come as an error in the stream: %s', async (data) => {
    expect((await events([data])).at(-1)).toMatchObject({ type: 'failure' });
    expect(JSON.stringify((reasons.at(-1) as ErrorInReply).body)).toContain('server_error');
  });

  it('with a call that the provider cut off runs nothing', () => {
    const cut = { ...call, status: 'incomplete', arguments: '{"n":' };
    expect(whole({ status: 'completed', output: [cut] })).toMatchObject({ type: 'failure' });
    const reply = whole({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [cut],
    });
    expect(reply).toMatchObject({
      response: { calls: [{ arguments: '{"n":' }], finish: { unified: 'max_tokens' } },
    });
  });
});

describe('usage', () => {
  const usageOf = (usage: unknown) => {
    const last = whole({ status: 'completed', output: [], usage });
    return last?.type === 'response' ? last.response.usage : undefined;
  };

  it('counts what was cached within the input, and reasoning within the output', () => {
    expect(
      usageOf({
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 20 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 30 },
      }),
    ).toEqual({
      inputTokens: 100,
      cachedInputTokens: 60,
      cacheWriteTokens: 20,
      outputTokens: 50,
      reasoningTokens: 30,
    });
  });

  it.each([
    [null],
    [{}],
    [{ input_tokens: 1 }],
    [{ input_tokens: -1, output_tokens: 1 }],
    [{ input_tokens: 1.5, output_tokens: 1 }],
  ])('that is %j is none', (usage) => {
    expect(usageOf(usage)).toBeNull();
  });
});

describe('what goes back', () => {
  const reasoning =
    '{"id":"rs_1", "type":"reasoning","x":1.0,"y":9007199254740993,"encrypted_content":"gAAA\\u003d\\ud800"}';

  it('is kept byte for byte, from a stream and from a whole reply', async () => {
    const stream = [
      `{"type":"response.output_item.done","output_index":0,"item": ${reasoning} }`,
      `{"type":"response.completed","response":{"status":"completed"}}`,
    ];
    const reply = `{"status":"completed","output":[ ${reasoning} ]}` as JsonText;
    for (const last of [(await events(stream)).at(-1), decodeReply(reply, context).at(-1)]) {
      if (last?.type !== 'response') throw new Error('no response');
      expect(last.response.raw).toEqual([
        { provider: 'openai', api: 'responses', json: `{"server":"openai:0","items":[${reasoning}]}` },
      ]);
    }
  });

  it('is nothing where words and calls say it all', () => {
    const last = whole({ status: 'completed', output: [message(text), call] });
    expect(last).toMatchObject({ response: { raw: [], text: 'hi', calls: [{ providerCallId: 'a' }] } });
  });

  it('has a message’s phase', () => {
    const last = whole({ status: 'completed', output: [{ ...message(text), phase: 'commentary' }, call] });
    expect(last?.type === 'response' && last.response.raw[0]?.json).toContain('"phase":"commentary"');
  });
});

it('arguments beyond the cap make a reply unusable, streamed or whole', async () => {
  const large = 'é'.repeat(LARGEST_ARGUMENTS / 2 + 1);
  const begun = { type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '' } };
  const piece = { type: 'response.function_call_arguments.delta', output_index: 0, delta: large };
  const last = (await events([begun, piece].map((event) => JSON.stringify(event)))).at(-1);
  expect(last).toMatchObject({
    type: 'failure',
    failure: { message: expect.stringContaining('1 MiB') as unknown },
  });
  expect(whole({ status: 'completed', output: [{ ...call, arguments: large }] })).toMatchObject({
    type: 'failure',
  });
});

it('watchers see words as they come, and the name of a call once it begins', async () => {
  const stream = [
    { type: 'response.output_item.added', output_index: 0, item: message() },
    { type: 'response.output_text.delta', output_index: 0, delta: 'h' },
    { type: 'response.output_text.delta', output_index: 0, delta: 'i' },
    { type: 'response.output_item.done', output_index: 0, item: message(text) },
    { type: 'response.output_item.added', output_index: 1, item: call },
    { type: 'response.output_item.done', output_index: 1, item: call },
    { type: 'response.completed', response: { status: 'completed' } },
  ];
  const found = await events(stream.map((event) => JSON.stringify(event)));
  expect(found.slice(0, -1)).toEqual([
    { type: 'text_delta', text: 'h' },
    { type: 'text_delta', text: 'i' },
    { type: 'call_delta', index: 0, tool: 'find' },
  ]);
});

describe('items without a final output', () => {
  const began = (item: object, place: object) => ({ type: 'response.output_item.added', ...place, item });
  const piece = (delta: string, place: object) => ({
    type: 'response.function_call_arguments.delta',
    ...place,
    delta,
  });
  const ended = (item: object, place: object) => ({ type: 'response.output_item.done', ...place, item });
  const called = (id: string | undefined, args: unknown) => ({ ...call, id, call_id: id, arguments: args });
  const end = { type: 'response.completed', response: { status: 'completed', output: [] } };
  const last = async (...list: readonly object[]) =>
    (await events([...list, end].map((each) => JSON.stringify(each)))).at(-1);

  it.each([
    ['one place', { output_index: 0 }, ['a', 'b']],
    ['no place and no id', {}, [undefined, undefined]],
  ])('are all kept where each of them has %s, one after the other', async (_, place, ids) => {
    const told = ids.flatMap((id, index) => {
      const args = `{"n":${index}}`;
      return [began(called(id, ''), place), piece(args, place), ended(called(id, args), place)];
    });
    expect(await last(...told)).toMatchObject({
      response: { calls: [{ arguments: '{"n":0}' }, { arguments: '{"n":1}' }] },
    });
  });

  it('are one where a server tells it twice', async () => {
    const place = { output_index: 0 };
    const told = [began(called('a', ''), place), began(called('a', ''), place)];
    const done = [ended(called('a', '{}'), place), ended(called('a', '{"n":1}'), place)];
    expect(await last(...told, ...done)).toMatchObject({ response: { calls: [{ arguments: '{"n":1}' }] } });
  });

  it.each([
    ['two are under way at one place', [began(called('a', ''), {}), began(called('b', ''), {})]],
    ['pieces of a call belong to none', [piece('{"n":1}', { output_index: 3 })]],
  ])('are no reply where %s', async (_, told) => {
    const place = { output_index: 0 };
    const tangled = told.map((each) => ({ ...place, ...each }));
    expect(await last(...tangled, ended(called('a', '{}'), place))).toMatchObject({ type: 'failure' });
  });

  it('have their arguments as they are written where they are no text', () => {
    const written = '{"n":9007199254740993,"x":1.0}';
    const item = `{"type":"function_call","call_id":"a","name":"find","arguments":${written}}`;
    const reply = `{"status":"completed","output":[${item}]}` as JsonText;
    expect(decodeReply(reply, context).at(-1)).toMatchObject({
      response: { calls: [{ arguments: written }] },
    });
  });
});
