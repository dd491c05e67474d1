import fc from 'fast-check';
import { historyFault } from '../../model/check-history.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { continued } from '../../testing/requests.js';
import {
  anyText,
  argumentsText,
  interleaved,
  messagesOf,
  picks,
  piecesOf,
  plainFailure,
  sprinkled,
} from '../../testing/stream-pieces.js';
import { decodeReply, decodeStream } from './decode.js';
import { encodeResponsesRequest } from './encode.js';

const server = 'openai:0';
const context = { choice: { provider: 'openai', model: 'm' } as const, server, toFailure: plainFailure };

async function decode(events: readonly unknown[]): Promise<ModelEvent> {
  const found: ModelEvent[] = [];
  for await (const event of decodeStream(messagesOf(events), context)) found.push(event);
  const last = found.at(-1);
  if (last === undefined) throw new Error('a decoded stream has no event');
  expect(found.slice(0, -1).every(({ type }) => type === 'text_delta' || type === 'call_delta')).toBe(true);
  return last;
}

/** One item: as it begins, the events of its pieces, as it ends. */
interface Told {
  readonly begun: Record<string, unknown>;
  readonly pieces: readonly Record<string, unknown>[];
  readonly done: Record<string, unknown>;
  readonly call: string | null;
  readonly text: string;
}

const message = piecesOf(anyText).map((pieces): Told => {
  const text = pieces.join('');
  return {
    begun: { type: 'message', role: 'assistant', content: [] },
    pieces: pieces.map((delta) => ({ type: 'response.output_text.delta', delta })),
    done: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
    call: null,
    text,
  };
});
const reasoning = anyText.map((words): Told => {
  const item = {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: words }],
    encrypted_content: 'gAAA=',
  };
  return { begun: item, pieces: [], done: item, call: null, text: '' };
});
const callItem = fc.tuple(fc.constantFrom('find', 'send'), piecesOf(argumentsText), fc.uuid()).map(
  ([name, pieces, call_id]): Told => ({
    begun: { type: 'function_call', status: 'in_progress', arguments: '', call_id, name },
    pieces: pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    done: { type: 'function_call', status: 'completed', arguments: pieces.join(''), call_id, name },
    call: `${name} ${pieces.join('')}`,
    text: '',
  }),
);
const output = fc.array(fc.oneof(message, reasoning, callItem), { minLength: 1, maxLength: 5 });

/** How servers say which item an event is about; the item's own id is always there. */
const place = fc.constantFrom(
  (index: number) => ({ output_index: index, item_id: `i_${index}` }),
  (index: number) => ({ output_index: index }),
  (index: number) => ({ output_index: index, item_id: 'another' }),
  (index: number) => ({ item_id: `i_${index}` }),
);

const CREATED = { type: 'response.created', response: { id: 'r', model: 'm' } };
const end = (items: readonly unknown[] | undefined, status = 'completed', reason?: string) => ({
  type: `response.${status}`,
  response: {
    id: 'r',
    status,
    ...(reason !== undefined && { incomplete_details: { reason } }),
    ...(items !== undefined && { output: items }),
    usage: { input_tokens: 5, output_tokens: 9 },
  },
});

function body(told: readonly Told[], order: readonly number[], where: (index: number) => object) {
  const withId = (item: object, index: number) => ({ ...item, id: `i_${index}` });
  const begun = told.map((each, index) => ({
    type: 'response.output_item.added',
    ...where(index),
    item: withId(each.begun, index),
  }));
  const queues = told.map((each, index) => [
    ...each.pieces.map((piece) => ({ ...piece, ...where(index) })),
    { type: 'response.output_item.done', ...where(index), item: withId(each.done, index) },
  ]);
  return [CREATED, ...begun, ...interleaved<object>(queues, order)];
}
const wholeOf = (told: readonly Told[]) => told.map(({ done }, index) => ({ ...done, id: `i_${index}` }));
const noise = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    7,
    'x',
    {},
    { type: 'response.in_progress' },
    { type: 'a.new.event', output_index: 0 },
  ),
  fc.record({ type: fc.constant('keepalive'), data: fc.jsonValue() }),
);
const callsIn = (told: readonly Told[]) => told.flatMap(({ call }) => call ?? []);
const named = (calls: readonly { tool: string; arguments: string }[]) =>
  calls.map((call) => `${call.tool} ${call.arguments}`);

describe('the pieces of a reply, however they come', () => {
  it('make the reply that was sent, whether its end repeats the output or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        output,
        picks,
        place,
        fc.boolean(),
        fc.array(noise, { maxLength: 5 }),
        async (told, order, where, repeats, strange) => {
          const events = sprinkled(body(told, order, where), strange);
          const last = await decode([...events, end(repeats ? wholeOf(told) : undefined)]);
          if (last.type !== 'response') throw new Error(JSON.stringify(last));
          const { response } = last;
          expect(named(response.calls).sort()).toEqual(callsIn(told).sort());
          expect(response.finish).toEqual({
            unified: callsIn(told).length > 0 ? 'tool_calls' : 'stop',
            raw: 'completed',
          });
          expect(response.text).toBe(told.map(({ text }) => text).join(''));
          expect(response.usage).toMatchObject({ inputTokens: 5, outputTokens: 9 });
        },
      ),
    );
  });

  it('that come twice make the same reply', async () => {
    await fc.assert(
      fc.asyncProperty(output, picks, fc.array(fc.nat(50), { maxLength: 10 }), async (told, order, again) => {
        const events = body(told, order, (index) => ({ output_index: index, item_id: `i_${index}` }));
        const last = await decode([
          ...events,
          ...again.map((at) => events[at % events.length]),
          end(undefined),
        ]);
        if (last.type !== 'response') throw new Error(JSON.stringify(last));
        expect(named(last.response.calls)).toEqual(callsIn(told));
      }),
    );
  });

  it('that are cut anywhere give no reply', async () => {
    await fc.assert(
      fc.asyncProperty(output, picks, place, fc.nat(), async (told, order, where, at) => {
        const events = body(told, order, where);
        expect((await decode(events.slice(0, at % (events.length + 1)))).type).toBe('failure');
      }),
    );
  });

  it('never become a call that may run while one is still open', async () => {
    await fc.assert(
      fc.asyncProperty(output, picks, fc.nat(), async (told, order, at) => {
        const events = body(told, order, (index) => ({ output_index: index }));
        const kept = events.slice(0, 1 + (at % events.length));
        const count = (type: string) => kept.filter((event) => 'type' in event && event.type === type).length;
        const isOpen = count('response.output_item.added') > count('response.output_item.done');
        expect((await decode([...kept, end([])])).type).toBe(isOpen ? 'failure' : 'response');
      }),
    );
  });

  it('that the model could not finish are kept as they came, under a word that lets nothing run', async () => {
    await fc.assert(
      fc.asyncProperty(output, picks, fc.nat(), async (told, order, at) => {
        const events = body(told, order, (index) => ({ output_index: index }));
        const kept = events.slice(0, 1 + (at % events.length));
        const last = await decode([...kept, end([], 'incomplete', 'max_output_tokens')]);
        if (last.type !== 'response') throw new Error(JSON.stringify(last));
        expect(last.response.finish).toEqual({ unified: 'max_tokens', raw: 'max_output_tokens' });
        for (const [index, call] of named(last.response.calls).entries()) {
          expect(callsIn(told)[index]?.startsWith(call)).toBe(true);
        }
      }),
    );
  });
});

describe('a reply of any kind', () => {
  it('makes a sound history that can be sent', async () => {
    const ends = fc.constantFrom(
      end(undefined),
      end([], 'incomplete', 'max_output_tokens'),
      end([], 'incomplete', 'content_filter'),
      end([], 'incomplete', 'a_new_reason'),
      end(undefined, 'cancelled'),
    );
    await fc.assert(
      fc.asyncProperty(output, picks, fc.nat(), ends, async (told, order, at, ending) => {
        const events = body(told, order, (index) => ({ output_index: index }));
        const last = await decode([...events.slice(0, 1 + (at % events.length)), ending]);
        if (last.type !== 'response') return;
        const conversation = continued(last.response);
        expect(historyFault(conversation)).toBeNull();
        const request = {
          choice: context.choice,
          maxOutputTokens: 16,
          instructions: '',
          conversation,
          tools: [],
          toolChoice: 'auto' as const,
        };
        const { input } = JSON.parse(encodeResponsesRequest(request, server)) as {
          input: { type?: string }[];
        };
        const loose = input.filter(({ type }, index) => {
          const next = input[index + 1];
          return type === 'reasoning' && (next?.type ?? 'user') === 'user';
        });
        expect(loose).toEqual([]);
      }),
    );
  });

  it('never makes the adapter throw, whatever its events hold', async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyText);
    const item = fc.record(
      {
        type: fc.constantFrom('message', 'function_call', 'reasoning', 'x'),
        content: value,
        arguments: value,
        id: value,
      },
      { requiredKeys: [] },
    );
    const event = fc.record(
      {
        type: fc.constantFrom(
          'response.created',
          'response.output_item.added',
          'response.output_item.done',
          'response.output_text.delta',
          'response.function_call_arguments.delta',
          'response.completed',
          'response.failed',
          'error',
        ),
        output_index: fc.oneof(value, fc.nat(1)),
        item_id: value,
        item: fc.oneof(value, item),
        delta: value,
        response: fc.oneof(
          value,
          fc.record({
            status: fc.oneof(value, fc.constant('completed')),
            output: fc.oneof(value, fc.array(item)),
            error: value,
          }),
        ),
      },
      { requiredKeys: ['type'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(value, event), { maxLength: 8 }), async (events) => {
        expect(['response', 'failure']).toContain((await decode(events)).type);
        for (const each of events) {
          const reply = JSON.stringify(each) as JsonText;
          expect(['response', 'failure']).toContain(decodeReply(reply, context).at(-1)?.type);
        }
      }),
    );
  });
});
