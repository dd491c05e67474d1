import fc from 'fast-check';
import type { ModelEvent } from '../../model/model-event.js';
import type { WireObject } from '../wire/wire-value.js';
import { type DecodeContext, decodeReply, decodeStream } from './decode.js';

const context: Omit<DecodeContext, 'doneSeen'> = {
  choice: { provider: 'openai-compatible', model: 'm' },
  server: 'openai-compatible:0',
  toFailure: (reason) => ({
    code: 'unreadable',
    message: String(reason),
    status: null,
    neverSent: false,
    retryAfterMs: null,
    usage: null,
  }),
};

async function decode(chunks: readonly unknown[], isDone: boolean): Promise<ModelEvent> {
  async function* stream() {
    yield* chunks;
  }
  const events: ModelEvent[] = [];
  for await (const event of decodeStream(stream(), { ...context, doneSeen: () => isDone }))
    events.push(event);
  const last = events.at(-1);
  if (last === undefined) throw new Error('a decoded stream has no event');
  return last;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly pieces: readonly string[];
}

const argumentsText = fc
  .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value));

const cutText = fc.tuple(argumentsText, fc.array(fc.nat(60), { maxLength: 4 })).map(([text, cuts]) => {
  const places = [
    0,
    ...cuts.filter((cut) => cut < text.length).sort((left, right) => left - right),
    text.length,
  ];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
});

const calls: fc.Arbitrary<readonly Call[]> = fc
  .array(fc.record({ name: fc.constantFrom('find', 'send', 'refund'), pieces: cutText }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((list) => list.map((call, index) => ({ ...call, id: `call_${index}` })));

type Style = (call: Call, index: number, isFirst: boolean) => WireObject;

/** How servers name a call's pieces; each with the whole of its first one. */
const styles: Readonly<Record<string, Style>> = {
  'by index, id on the first piece': (call, index, isFirst) => (isFirst ? { index, id: call.id } : { index }),
  'by index alone': (_, index) => ({ index, id: '' }),
  'by id, index always 0': (call) => ({ index: 0, id: call.id }),
  'by id, index missing': (call) => ({ id: call.id }),
  'by index, all ids equal': (_, index) => ({ index, id: 'same' }),
};

const style = fc.constantFrom(...Object.values(styles));

/** Takes one piece after the other from the calls, in an order that `picks` decides, each call's own order kept. */
function interleave(list: readonly Call[], picks: readonly number[], name: Style) {
  const queues = list.map((call, index) => ({ call, index, next: 0 }));
  const fragments: WireObject[] = [];
  for (let turn = 0; queues.some((queue) => queue.next < queue.call.pieces.length); turn += 1) {
    const open = queues.filter((queue) => queue.next < queue.call.pieces.length);
    const queue = open[(picks[turn % picks.length] ?? 0) % open.length];
    if (queue === undefined) break;
    const isFirst = queue.next === 0;
    const text = queue.call.pieces[queue.next];
    queue.next += 1;
    const body = isFirst ? { name: queue.call.name, arguments: text } : { arguments: text };
    fragments.push({ ...name(queue.call, queue.index, isFirst), type: 'function', function: body });
  }
  return fragments;
}

const chunk = (fragment: WireObject) => ({
  id: 'r',
  choices: [{ index: 0, delta: { tool_calls: [fragment] } }],
});
const ending = (word: string) => ({ choices: [{ index: 0, delta: {}, finish_reason: word }] });
const noise = fc.oneof(
  fc.constantFrom(null, 7, 'x', {}, { choices: null }, { choices: [{}] }, { choices: [{ delta: null }] }),
  fc.record({ object: fc.constant('ping'), data: fc.jsonValue() }),
);
const picks = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });

const sorted = (texts: readonly string[]) => [...texts].sort();
const told = (list: readonly Call[]) => sorted(list.map((call) => `${call.name} ${call.pieces.join('')}`));

describe('pieces of calls, however they come', () => {
  it('make the calls that were sent, whatever the order, the naming and the noise between', async () => {
    await fc.assert(
      fc.asyncProperty(
        calls,
        picks,
        style,
        fc.array(noise, { maxLength: 5 }),
        async (list, order, name, strange) => {
          const chunks: unknown[] = interleave(list, order, name).map(chunk);
          for (const [index, each] of strange.entries())
            chunks.splice((index * 3) % (chunks.length + 1), 0, each);
          const last = await decode([...chunks, ending('tool_calls')], true);
          if (last.type !== 'response') throw new Error('no response');
          expect(sorted(last.response.calls.map((call) => `${call.tool} ${call.arguments}`))).toEqual(
            told(list),
          );
        },
      ),
    );
  });

  it('that are cut anywhere give no reply', async () => {
    await fc.assert(
      fc.asyncProperty(calls, picks, style, fc.nat(), async (list, order, name, at) => {
        const chunks = interleave(list, order, name).map(chunk);
        const last = await decode(chunks.slice(0, at % (chunks.length + 1)), true);
        expect(last.type).toBe('failure');
      }),
    );
  });

  it('that the model itself could not finish are kept as they came, under a word that lets nothing run', async () => {
    await fc.assert(
      fc.asyncProperty(calls, picks, style, fc.nat(), async (list, order, name, at) => {
        const chunks = interleave(list, order, name).map(chunk);
        const last = await decode([...chunks.slice(0, at % (chunks.length + 1)), ending('length')], true);
        if (last.type !== 'response') throw new Error('no response');
        expect(last.response.finish.unified).toBe('max_tokens');
        const whole = told(list);
        for (const call of last.response.calls) {
          expect(
            whole.some((text) =>
              text.startsWith(call.arguments === '' ? call.tool : `${call.tool} ${call.arguments}`),
            ),
          ).toBe(true);
        }
      }),
    );
  });

  it('that are doubled, missing or mixed up never throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        calls,
        picks,
        style,
        fc.array(fc.nat(50), { maxLength: 30 }),
        async (list, order, name, pick) => {
          const chunks = interleave(list, order, name).map(chunk);
          const mixed = pick.map((index) => chunks[index % chunks.length]);
          expect((await decode([...mixed, ending('tool_calls')], true)).type).toBe('response');
        },
      ),
    );
  });
});

describe('values of any shape', () => {
  const shape = (value: fc.Arbitrary<unknown>) =>
    fc.record(
      {
        id: value,
        model: value,
        usage: value,
        choices: fc.oneof(
          value,
          fc.array(
            fc.record(
              { index: value, delta: deltaOf(value), message: deltaOf(value), finish_reason: value },
              { requiredKeys: [] },
            ),
          ),
        ),
      },
      { requiredKeys: [] },
    );
  const deltaOf = (value: fc.Arbitrary<unknown>) =>
    fc.oneof(
      value,
      fc.record(
        {
          content: value,
          refusal: value,
          reasoning_content: value,
          reasoning_details: value,
          function_call: value,
          tool_calls: fc.oneof(
            value,
            fc.array(fc.record({ index: value, id: value, function: value, extra_content: value })),
          ),
        },
        { requiredKeys: [] },
      ),
    );
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }));

  it('never make a stream or a whole reply throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(anything, shape(anything)), { maxLength: 6 }), async (chunks) => {
        expect(['response', 'failure']).toContain((await decode(chunks, true)).type);
        for (const each of chunks) {
          expect(['response', 'failure']).toContain(decodeReply(each, context).at(-1)?.type);
        }
      }),
    );
  });
});
