import type { ModelRequest } from '../../model/conversation.js';
import { ask, askLocally, placesBefore, smallPieces, whole } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { wireReplies } from '../../testing/wire-data.js';
import { createOpenAiChatAdapter } from './client.js';

/** For tests that read a reply thousands of times, on a busy machine. */
const LONG_MS = 60_000;

/** The words of the recordings' makers for our own; `incomplete` is a reply without a word for its end. */
const STOP = { tool_calls: 'tool_calls', stop: 'stop', incomplete: 'error', length: 'max_tokens' } as const;

/** Tokens that the total has and the completion has not; the recordings' makers leave them out. */
const BEYOND: Readonly<Record<string, number>> = {
  'openai-chat/compatible-api-with-tool-calls-without-id-1': 62,
};

const request: ModelRequest = {
  choice: { provider: 'openai-compatible', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};

const question = { adapter: createOpenAiChatAdapter(), request };

describeRecorded('recorded replies', (folder) => {
  const replies = wireReplies(folder, 'openai-chat');

  it.each(replies.map((reply) => [reply.id, reply] as const))('%s means what it should', async (_, reply) => {
    const events = await ask(question, whole(reply));
    const last = events.at(-1);
    const { expected } = reply;
    if (last?.type === 'failure') {
      expect(expected.error !== null || expected.model === null).toBe(true);
      expect(last.failure.code).toBe(reply.status === 200 ? 'unreadable' : 'bad_request');
      expect(last.failure.status).toBe(reply.status === 200 ? null : reply.status);
      expect(last.failure.message).toContain(expected.error?.message ?? '');
      return;
    }
    if (last?.type !== 'response') throw new Error('no end');
    const { response } = last;
    expect(response.text).toBe(expected.text);
    expect(events.flatMap((event) => (event.type === 'text_delta' ? event.text : [])).join('')).toBe(
      expected.text,
    );
    expect(response.model).toBe(expected.model);
    expect(response.responseId ?? '').toBe(expected.response_id);
    expect(response.refusal ?? '').toBe(expected.refusal ?? '');
    expect(response.finish).toEqual({
      unified: STOP[expected.stop as keyof typeof STOP],
      raw: expected.stop_raw,
    });
    expect(
      response.calls.map((call) => ({
        id: call.providerCallId ?? '',
        name: call.tool,
        arguments: JSON.parse(call.arguments) as unknown,
      })),
    ).toEqual(expected.tool_calls);
    expect(response.usage).toEqual({
      inputTokens: expected.usage?.input,
      outputTokens: (expected.usage?.output ?? 0) + (BEYOND[reply.id] ?? 0),
      cachedInputTokens: expected.usage?.cache_read ?? 0,
      reasoningTokens: expected.usage?.reasoning ?? 0,
      cacheWriteTokens: 0,
    });
    const { reasoning_text: reasoning } = expected;
    const raw = response.raw.map(
      (item) => JSON.parse(item.json) as { message: { reasoning_content?: string } },
    );
    expect(raw[0]?.message.reasoning_content ?? '').toBe(reasoning);
  });

  // Some recordings are equal byte for byte: once is enough for what takes long.
  const streams = replies.filter(
    (reply, index) => reply.stream && replies.findIndex((other) => other.body.equals(reply.body)) === index,
  );
  const [first] = streams;

  it.each(replies.map((reply) => [reply.id, reply] as const))(
    '%s means the same in small pieces',
    async (_, reply) => {
      const expected = await askLocally(question, reply, [reply.body]);
      expect(await askLocally(question, reply, smallPieces(reply))).toEqual(expected);
    },
    LONG_MS,
  );

  it('a stream means the same in packets of seven bytes', async () => {
    if (first === undefined) throw new Error('no recorded stream');
    const pieces = Array.from({ length: Math.ceil(first.body.length / 7) }, (_unused, index) =>
      first.body.subarray(index * 7, index * 7 + 7),
    );
    expect(await ask(question, { ...whole(first), pieces })).toEqual(await ask(question, whole(first)));
  });

  it(
    'a stream means the same wherever it is split in two',
    async () => {
      if (first === undefined) throw new Error('no recorded stream');
      const expected = await ask(question, whole(first));
      for (const at of placesBefore(first.body.length)) {
        const events = await askLocally(question, first, [
          first.body.subarray(0, at),
          first.body.subarray(at),
        ]);
        expect(events).toEqual(expected);
      }
    },
    LONG_MS,
  );

  it.each(streams.map((reply) => [reply.id, reply] as const))(
    '%s, cut anywhere, is a failed attempt',
    async (_, reply) => {
      const usageAt = reply.body.lastIndexOf('"prompt_tokens"');
      for (const length of placesBefore(usageAt)) {
        const events = await askLocally(question, reply, [reply.body.subarray(0, length)]);
        expect(events.at(-1)).toMatchObject({
          type: 'failure',
          failure: { code: 'unreadable', status: null },
        });
      }
    },
  );
});
