import type { ModelRequest } from '../../../model/conversation.js';
import type { ModelResponse } from '../../../model/model-event.js';
import { ask, askLocally, placesBefore, smallPieces, whole } from '../../../testing/ask-adapter.js';
import { describeRecorded } from '../../../testing/describe-recorded.js';
import { type WireReply, wireReplies } from '../../../testing/wire-data.js';
import { createGenerateContentAdapter } from './adapter.js';

/** For tests that read a reply thousands of times, on a busy machine. */
const LONG_MS = 60_000;

/** The words of the recordings' makers for our own. */
const STOP = {
  tool_calls: 'tool_calls',
  stop: 'stop',
  length: 'max_tokens',
  content_filter: 'content_filter',
} as const;

const request: ModelRequest = {
  choice: { provider: 'google', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};

const question = { adapter: createGenerateContentAdapter(), request };

interface RawPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
}

function rawParts({ raw }: ModelResponse): readonly RawPart[] {
  return raw.flatMap(({ json }) => (JSON.parse(json) as { parts: readonly RawPart[] }).parts);
}

interface PartialArg {
  readonly jsonPath: string;
  readonly stringValue: string;
}

/** What the makers of the recordings give as pieces, put together in another way than the adapter does. */
function expectedArguments(call: WireReply['expected']['tool_calls'][number]): unknown {
  const { partial_args: pieces } = call as { partial_args?: readonly PartialArg[] };
  if (pieces === undefined) return call.arguments;
  const texts = new Map<string, string>();
  for (const { jsonPath, stringValue } of pieces)
    texts.set(jsonPath, (texts.get(jsonPath) ?? '') + stringValue);
  return Object.fromEntries(texts);
}

/** Arguments as texts by path, where they came in pieces. */
function flattened(value: unknown, path = '$'): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => flattened(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) => flattened(item, `${path}.${key}`));
}

describeRecorded('recorded replies', (folder) => {
  const replies = wireReplies(folder, 'gemini');
  const named = replies.map((reply) => [reply.id, reply] as const);

  it.each(named)('%s means what it should', async (_, reply) => {
    const events = await ask(question, whole(reply));
    const last = events.at(-1);
    const { expected } = reply;
    if (last?.type === 'failure') {
      expect(expected.error?.message).toBeDefined();
      expect(last.failure).toMatchObject({
        code: reply.status === 429 ? 'rate_limited' : 'bad_request',
        status: reply.status,
        retryAfterMs: reply.id.endsWith('429-retry-info') ? 34_400 : null,
      });
      expect(last.failure.message).toContain(expected.error?.message);
      return;
    }
    if (last?.type !== 'response') throw new Error('no end');
    const { response } = last;
    expect(response.text).toBe(expected.text);
    const deltas = events.flatMap((event) => (event.type === 'text_delta' ? event.text : []));
    expect(deltas.join('')).toBe(expected.text);
    expect(response.model).toBe(expected.model);
    expect(response.responseId).toBe(expected.response_id);
    expect(response.finish).toEqual({
      unified: STOP[expected.stop as keyof typeof STOP],
      raw: expected.stop_raw?.replace('blockReason:', ''),
    });
    expect(response.calls.map(({ providerCallId, tool }) => ({ id: providerCallId, name: tool }))).toEqual(
      expected.tool_calls.map(({ id, name }) => ({ id, name })),
    );
    for (const [index, call] of response.calls.entries()) {
      const told = expected.tool_calls[index];
      const args: unknown = JSON.parse(call.arguments);
      const isPieced = told?.arguments === null;
      expect(isPieced ? Object.fromEntries(flattened(args)) : args).toEqual(
        told === undefined ? null : expectedArguments(told),
      );
    }
    expect(response.usage).toEqual({
      inputTokens: expected.usage?.input,
      outputTokens: expected.usage?.output,
      cachedInputTokens: expected.usage?.cache_read ?? 0,
      reasoningTokens: expected.usage?.reasoning ?? 0,
      cacheWriteTokens: 0,
    });
    const parts = rawParts(response);
    const thought = parts.flatMap((part) => (part.thought === true ? (part.text ?? '') : []));
    expect(thought.join('')).toBe(expected.reasoning_text);
    const signed = parts.filter((part) => part.thoughtSignature !== undefined);
    expect(signed).toHaveLength(expected.signatures ?? 0);
    for (const part of signed) expect(reply.body.toString()).toContain(part.thoughtSignature);
  });

  it.each(named)('%s means the same in small pieces', async (_, reply) => {
    expect(await askLocally(question, reply, smallPieces(reply))).toEqual(await ask(question, whole(reply)));
  });

  const streams = replies.filter((reply) => reply.stream);

  it(
    'a stream means the same wherever it is split in two',
    async () => {
      const [first] = streams.toSorted((left, right) => left.body.length - right.body.length);
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
    '%s, cut anywhere before its end, is a failed attempt that costs what was reserved',
    async (_, reply) => {
      const end = reply.body.lastIndexOf('"finishReason"');
      for (const length of placesBefore(end)) {
        const events = await askLocally(question, reply, [reply.body.subarray(0, length)]);
        expect(events.at(-1)).toMatchObject({
          type: 'failure',
          failure: { code: 'unreadable', status: null, usage: null },
        });
      }
    },
    LONG_MS,
  );
});
