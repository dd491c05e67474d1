import type { ModelRequest } from '../../model/conversation.js';
import type { ModelResponse } from '../../model/model-event.js';
import { isRetryable } from '../../model/retryable.js';
import { ask, askLocally, placesBefore, smallPieces, whole } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { errorCases, wireReplies } from '../../testing/wire-data.js';
import { createAnthropicMessagesAdapter } from './client.js';

/** For tests that read a reply thousands of times, on a busy machine. */
const LONG_MS = 120_000;

const STOP = { tool_calls: 'tool_calls', stop: 'stop', length: 'max_tokens', refusal: 'refusal' } as const;

const request: ModelRequest = {
  choice: { provider: 'anthropic', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};
const question = { adapter: createAnthropicMessagesAdapter(), request };

interface RawBlock {
  readonly type: string;
  readonly thinking?: string;
  readonly signature?: string;
}

/** The raw blocks of a reply, in order. */
function rawBlocks({ raw }: ModelResponse): readonly RawBlock[] {
  return raw.flatMap((item) => {
    const { blocks } = JSON.parse(item.json) as { blocks: readonly { raw?: RawBlock }[] };
    return blocks.flatMap((block) => block.raw ?? []);
  });
}

describeRecorded('recorded replies', (folder) => {
  const replies = wireReplies(folder, 'anthropic');

  it.each(replies.map((reply) => [reply.id, reply] as const))('%s means what it should', async (_, reply) => {
    const events = await ask(question, whole(reply));
    const last = events.at(-1);
    const { expected } = reply;
    if (last?.type !== 'response') throw new Error('no response');
    const { response } = last;
    expect(response.text).toBe(expected.text);
    expect(events.flatMap((event) => (event.type === 'text_delta' ? event.text : [])).join('')).toBe(
      expected.text,
    );
    expect(response.model).toBe(expected.model);
    expect(response.responseId).toBe(expected.response_id);
    expect(response.finish).toEqual({
      unified: STOP[expected.stop as keyof typeof STOP],
      raw: expected.stop_raw,
    });
    expect(
      response.calls.map((call) => ({
        id: call.providerCallId,
        name: call.tool,
        arguments: JSON.parse(call.arguments || '{}') as unknown,
      })),
    ).toEqual(expected.tool_calls);
    expect(events.filter((event) => event.type === 'call_delta').map(({ tool }) => tool)).toEqual(
      expected.tool_calls.map(({ name }) => name),
    );
    expect(response.usage).toEqual({
      inputTokens: expected.usage?.input,
      outputTokens: expected.usage?.output,
      cachedInputTokens: expected.usage?.cache_read ?? 0,
      cacheWriteTokens: expected.usage?.cache_write ?? 0,
      reasoningTokens: expected.usage?.reasoning ?? 0,
    });
    const blocks = rawBlocks(response);
    expect(blocks.map((block) => block.thinking ?? '').join('')).toBe(expected.reasoning_text);
    expect(blocks.filter((block) => block.signature !== undefined)).toHaveLength(expected.signatures);
  });

  it('a refusal says why', async () => {
    const [refusal] = replies.filter((reply) => reply.expected.stop === 'refusal');
    if (refusal === undefined) throw new Error('no recorded refusal');
    expect((await ask(question, whole(refusal))).at(-1)).toMatchObject({
      response: { refusal: expect.stringContaining('blocked under') as unknown, finish: { raw: 'refusal' } },
    });
  });

  it.each(replies.map((reply) => [reply.id, reply] as const))(
    '%s means the same in small pieces',
    async (_, reply) => {
      const expected = await askLocally(question, reply, [reply.body]);
      expect(await askLocally(question, reply, smallPieces(reply))).toEqual(expected);
    },
    LONG_MS,
  );

  const streams = replies.filter((reply) => reply.stream);

  it(
    'a stream means the same wherever it is split in two',
    async () => {
      const [shortest] = [...streams].sort((left, right) => left.body.length - right.body.length);
      if (shortest === undefined) throw new Error('no recorded stream');
      const expected = await askLocally(question, shortest, [shortest.body]);
      for (const at of placesBefore(shortest.body.length)) {
        const pieces = [shortest.body.subarray(0, at), shortest.body.subarray(at)];
        expect(await askLocally(question, shortest, pieces)).toEqual(expected);
      }
    },
    LONG_MS,
  );

  it.each(streams.map((reply) => [reply.id, reply] as const))(
    '%s, cut anywhere before its end, is a failed attempt',
    async (_, reply) => {
      const end = reply.body.lastIndexOf('{"type":"message_stop"');
      for (const length of placesBefore(end)) {
        const events = await askLocally(question, reply, [reply.body.subarray(0, length)]);
        expect(events.at(-1)).toMatchObject({
          type: 'failure',
          failure: { code: 'unreadable', status: null, neverSent: false },
        });
      }
    },
    LONG_MS,
  );
});

describeRecorded('recorded errors', (folder) => {
  const cases = errorCases(folder, 'anthropic');

  it.each(cases.map((each) => [each.id, each] as const))(
    '%s is retried only where that can help',
    async (_, { status, headers, body, sse, retryable, id }) => {
      const type = sse === undefined ? 'application/json' : 'text/event-stream';
      const reply = {
        status,
        headers: { 'content-type': type, ...headers },
        pieces: [sse ?? JSON.stringify(body)],
      };
      const last = (await ask(question, reply)).at(-1);
      if (last?.type !== 'failure') throw new Error('no failure');
      expect(isRetryable(last.failure)).toBe(retryable);
      expect(last.failure.status).toBe(status === 200 ? null : status);
      expect(last.failure.code).toBe(id.includes('429') ? 'rate_limited' : 'overloaded');
      const waits = headers?.['retry-after'];
      expect(last.failure.retryAfterMs).toBe(waits === undefined ? null : Number(waits) * 1000);
      // What message_start counted is part of the reservation, which is booked where no final usage came.
      expect(last.failure.usage).toBeNull();
    },
  );
});
