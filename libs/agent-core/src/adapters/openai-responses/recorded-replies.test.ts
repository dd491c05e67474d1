import type { ModelRequest } from '../../model/conversation.js';
import type { ModelResponse } from '../../model/model-event.js';
import { ask, askLocally, placesBefore, smallPieces, whole } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { wireReplies } from '../../testing/wire-data.js';
import { isObjectText } from '../wire/wire-value.js';
import { createOpenAiResponsesAdapter } from './client.js';

/** For tests that read a reply thousands of times, or one of 107 KB by its bytes, on a busy machine. */
const LONG_MS = 120_000;

const STOP = { tool_calls: 'tool_calls', stop: 'stop', length: 'max_tokens', error: 'error' } as const;

const request: ModelRequest = {
  choice: { provider: 'openai', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};
const question = { adapter: createOpenAiResponsesAdapter(), request };

interface RawOutput {
  readonly type: string;
  readonly summary?: readonly { readonly text: string }[];
  readonly encrypted_content?: string | null;
}

/** The raw reasoning of a reply, in order. */
function reasoning({ raw }: ModelResponse): readonly RawOutput[] {
  const items = raw.flatMap((item) => (JSON.parse(item.json) as { items: readonly RawOutput[] }).items);
  return items.filter((item) => item.type === 'reasoning');
}

describeRecorded('recorded replies', (folder) => {
  const replies = wireReplies(folder, 'openai-responses');

  it.each(replies.map((reply) => [reply.id, reply] as const))('%s means what it should', async (_, reply) => {
    const events = await ask(question, whole(reply));
    const last = events.at(-1);
    const { expected } = reply;
    if (last?.type === 'failure') {
      expect(last.failure).toMatchObject({ code: 'bad_request', status: reply.status });
      expect(last.failure.message).toContain(expected.error?.message);
      return;
    }
    if (last?.type !== 'response') throw new Error('no end');
    const { response } = last;
    expect(response.text).toBe(expected.text);
    const seen = events.flatMap((event) => (event.type === 'text_delta' ? event.text : [])).join('');
    expect(seen).toBe(expected.text);
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
        arguments: isObjectText(call.arguments) ? (JSON.parse(call.arguments) as unknown) : call.arguments,
      })),
    ).toEqual(expected.tool_calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })));
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
    const items = reasoning(response);
    const words = items.flatMap((item) => item.summary?.map(({ text }) => text) ?? []).join('');
    expect(words.replace(/\s/g, '')).toBe(expected.reasoning_text.replace(/\s/g, ''));
    expect(items.filter((item) => (item.encrypted_content ?? '') !== '')).toHaveLength(expected.signatures);
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
      const end = reply.body.indexOf('"type":"response.completed"');
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
