import fc from 'fast-check';
import type { ModelEvent } from '../../../model/model-event.js';
import { createGenerateContentAdapter } from './adapter.js';

/** Feeds the body of a stream through the whole adapter and the SDK, in two pieces. */
async function decode(body: string, cut: number): Promise<ModelEvent> {
  const bytes = Buffer.from(body);
  const at = bytes.length === 0 ? 0 : cut % bytes.length;
  const pieces = [bytes.subarray(0, at), bytes.subarray(at)].filter((piece) => piece.length > 0);
  const stream = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const call = createGenerateContentAdapter().prepare(
    {
      choice: { provider: 'google', model: 'm' },
      maxOutputTokens: 1,
      instructions: '',
      conversation: [],
      tools: [],
      toolChoice: 'auto',
    },
    { apiKey: 'k', baseUrl: 'http://x', fetch: async () => new Response(stream, { headers }) },
  );
  let last: ModelEvent | null = null;
  for await (const event of call.send(new AbortController().signal)) last = event;
  if (last === null) throw new Error('a decoded stream has no event');
  return last;
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const parts = (...list: readonly unknown[]) =>
  event({ candidates: [{ content: { role: 'model', parts: list } }] });
const ending = (finishReason: string) => event({ candidates: [{ finishReason }] });

type Call = { readonly name: string; readonly args: Readonly<Record<string, string | boolean | null>> };

const key = fc.stringMatching(/^[a-z]{1,3}$/);
const text = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((value) => value.replace(/\p{Surrogate}/gu, ''));
const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record({
    name: fc.constantFrom('find', 'send', 'refund'),
    args: fc.dictionary(key, fc.oneof(text, fc.boolean(), fc.constant(null)), { maxKeys: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A call as Google streams its arguments: a name, then pieces of values by their paths, then an empty piece. */
function pieced({ name, args }: Call): readonly string[] {
  const pieces = Object.entries(args).flatMap(([at, value]): readonly object[] => {
    const jsonPath = `$.${at}`;
    if (value === null) return [{ jsonPath, nullValue: 'NULL_VALUE' }];
    if (typeof value === 'boolean') return [{ jsonPath, boolValue: value }];
    const half = value.length >> 1;
    const [left, right] = [value.slice(0, half), value.slice(half)];
    // Google cuts no character in two.
    if (/\p{Surrogate}/u.test(left)) return [{ jsonPath, stringValue: value }];
    return [
      { jsonPath, stringValue: left, willContinue: true },
      { jsonPath, stringValue: right },
    ];
  });
  return [
    parts({ functionCall: { name, willContinue: true } }),
    ...pieces.map((piece) => parts({ functionCall: { partialArgs: [piece], willContinue: true } })),
    parts({ functionCall: {} }),
  ];
}

const whole = (call: Call) => [parts({ functionCall: call })];
const noise = fc.oneof(
  fc.constantFrom(': ping\n\n', 'event: x\n\n', 'retry: 5\n', '\r\n', 'data: {}\n\n', 'data: 7\n\n'),
  fc.jsonValue().map((value) => event({ strange: value })),
  fc.constant(event({ candidates: [{ content: { parts: [{ inlineData: { data: 'AA==' } }] } }] })),
);

describe('calls, however they come', () => {
  it('are the calls that were sent, whole or in pieces, with noise between', async () => {
    await fc.assert(
      fc.asyncProperty(
        calls,
        fc.boolean(),
        fc.array(noise, { maxLength: 4 }),
        fc.nat(),
        async (list, isPieced, strange, cut) => {
          const events = list.flatMap(isPieced ? pieced : whole);
          for (const [index, each] of strange.entries())
            events.splice((index * 3) % (events.length + 1), 0, each);
          const last = await decode([...events, ending('STOP')].join(''), cut);
          if (last.type !== 'response') throw new Error('no response');
          expect(last.response.finish.unified).toBe('tool_calls');
          expect(
            last.response.calls.map(({ tool, arguments: args }) => ({ name: tool, args: JSON.parse(args) })),
          ).toEqual(list);
        },
      ),
    );
  });

  it('are never given where their last piece or the end of the reply is missing', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.nat(), fc.boolean(), async (list, at, isCut) => {
        const events = list.flatMap(pieced);
        const last = isCut
          ? await decode(events.slice(0, at % (events.length + 1)).join(''), at)
          : await decode([...events.slice(0, -1), ending('STOP')].join(''), at);
        expect(last).toMatchObject({ type: 'failure', failure: { code: 'unreadable' } });
      }),
    );
  });

  it('that the model itself could not finish stand under a word that lets nothing run', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.nat(), async (list, at) => {
        const events = list.flatMap(pieced);
        const kept = events.slice(0, at % (events.length + 1));
        const last = await decode([...kept, ending('MAX_TOKENS')].join(''), at);
        expect(last).toMatchObject({ type: 'response', response: { finish: { unified: 'max_tokens' } } });
      }),
    );
  });

  it('that are doubled, missing or mixed up never throw', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.array(fc.nat(50), { maxLength: 30 }), async (list, picks) => {
        const events = list.flatMap(pieced);
        const mixed = picks.map((index) => events[index % events.length] ?? '');
        expect(['response', 'failure']).toContain(
          (await decode([...mixed, ending('STOP')].join(''), 0)).type,
        );
      }),
    );
  });
});

describe('events of any shape', () => {
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }));
  const part = fc.oneof(
    anything,
    fc.record(
      {
        text: anything,
        thought: anything,
        thoughtSignature: anything,
        functionCall: fc.oneof(
          anything,
          fc.record(
            {
              id: anything,
              name: anything,
              args: anything,
              willContinue: anything,
              partialArgs: fc.array(
                fc.record(
                  {
                    jsonPath: fc.oneof(anything, fc.constantFrom('$.a', '$.a[0]', '$.a[9]', '$.__proto__.x')),
                    stringValue: anything,
                    numberValue: anything,
                    nullValue: anything,
                  },
                  { requiredKeys: [] },
                ),
              ),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    ),
  );
  const shape = fc.record(
    {
      responseId: anything,
      modelVersion: anything,
      usageMetadata: fc.oneof(anything, fc.record({ promptTokenCount: anything, totalTokenCount: anything })),
      promptFeedback: fc.oneof(anything, fc.record({ blockReason: anything })),
      candidates: fc.oneof(
        anything,
        fc.array(
          fc.record(
            {
              index: anything,
              finishReason: fc.oneof(anything, fc.constantFrom('STOP', 'SAFETY', 'NEW_WORD')),
              content: fc.oneof(anything, fc.record({ parts: fc.oneof(anything, fc.array(part)) })),
            },
            { requiredKeys: [] },
          ),
        ),
      ),
    },
    { requiredKeys: [] },
  );

  it('never make a stream throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anything, shape), { maxLength: 6 }),
        fc.nat(),
        async (events, cut) => {
          expect(['response', 'failure']).toContain((await decode(events.map(event).join(''), cut)).type);
        },
      ),
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('nor any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.nat(), async (body, cut) => {
        expect(['response', 'failure']).toContain((await decode(body, cut)).type);
      }),
    );
  });
});
