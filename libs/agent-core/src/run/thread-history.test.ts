import fc from 'fast-check';
import { historyFault } from '../model/check-history.js';
import type { ModelResponse } from '../model/model-event.js';
import type { JsonText } from '../shared/brand.js';
import { call, reply } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read } from '../testing/refund-world.js';
import { type PastRun, threadHistory } from './thread-history.js';

const RAW = [{ provider: 'openai', api: 'chat', json: '{"reasoning":"x"}' as JsonText }] as const;
const CUT = { unified: 'max_tokens', raw: 'length' } as const;

function past({ events }: Pick<LoopWorld, 'events'>, id = 'run_1'): PastRun {
  return { id, tenant: 'ten_1', events };
}

async function played(replies: readonly ModelResponse[], history = threadHistory([])): Promise<LoopWorld> {
  const world = new LoopWorld({ tools: [read], replies, history });
  await world.work();
  return world;
}

const look = (orderId: number, id: string | null = null) =>
  reply({ calls: [call('search_orders', { orderId }, id)], raw: RAW });

describe('what a thread’s runs leave to the next one', () => {
  test('a completed run: all of it, its raw items included', async () => {
    const world = await played([look(1, 'a'), done]);
    expect(threadHistory([past(world)])).toMatchObject([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', calls: [{ callId: 'a' }], raw: RAW },
      { role: 'tool', callId: 'a' },
      { role: 'assistant', text: 'Done.' },
    ]);
  });

  test('a reply that was cut off keeps its words, not the items that its provider may refuse', async () => {
    const world = await played([reply({ text: 'I was', finish: CUT, raw: RAW })]);
    expect(threadHistory([past(world)])).toEqual([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'I was', calls: [], raw: [] },
    ]);
  });

  test('a turn with a call that nobody answered is left out, and stays out when the answer comes later', async () => {
    const { events } = await played([look(1, 'a'), done]);
    const replied = events.findIndex(({ event }) => event.type === 'model.responded');
    const late = events.filter(({ event }) => event.type.startsWith('tool.'));
    const failed = { type: 'run.finished', status: 'failed', reason: null, output: null } as const;
    const ended = [...events.slice(0, replied + 1), { seq: replied + 2, at: 1_000_000, event: failed }];
    const asked = [{ role: 'user', text: 'Hello' }];
    expect(threadHistory([past({ events: ended })])).toEqual(asked);
    expect(threadHistory([past({ events: [...ended, ...late] })])).toEqual(asked);
  });

  test('a run that never began leaves what was asked', () => {
    const world = new LoopWorld({ replies: [] });
    expect(threadHistory([past(world)])).toEqual([{ role: 'user', text: 'Hello' }]);
  });

  test('the next run says it before its own input, and a provider’s id that was used there gets one of ours', async () => {
    const first = await played([look(1, 'a'), done]);
    const second = await played([look(2, 'a'), done], threadHistory([past(first)]));
    const [asked, again] = second.asked;
    expect(asked?.conversation.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(historyFault(again?.conversation ?? [])).toBeNull();
    expect(second.run.turns[0]?.calls[0]).toMatchObject({
      providerCallId: 'a',
      callId: expect.stringMatching(/^tcl_/),
    });
  });

  test('is sound whatever the runs before came to, wherever they were cut', async () => {
    const id = fc.constantFrom(null, 'a', 'b', 'call_0');
    const turn = fc.record({
      ids: fc.array(id, { maxLength: 3 }),
      text: fc.constantFrom('', 'Well.'),
      cut: fc.boolean(),
    });
    const thread = fc.array(fc.record({ turns: fc.array(turn, { maxLength: 4 }), keep: fc.nat(30) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(thread, async (runs) => {
        const before: PastRun[] = [];
        let orderId = 0;
        for (const { turns, keep } of runs) {
          const replies = turns.map(({ ids, text, cut }) =>
            reply({
              text,
              raw: RAW,
              calls: ids.map((each) => {
                orderId += 1;
                return call('search_orders', { orderId }, each);
              }),
              ...(cut ? { finish: CUT } : {}),
            }),
          );
          const world = await played([...replies, done], threadHistory(before));
          expect(world.asked.map(({ conversation }) => historyFault(conversation))).toEqual(
            world.asked.map(() => null),
          );
          // An end may come at any event: what is recorded behind it counts for nothing.
          const events = world.events.slice(0, 1 + keep).filter(({ event }) => event.type !== 'run.finished');
          const end = { type: 'run.finished', status: 'cancelled', reason: null, output: null } as const;
          before.push({
            id: 'run_1',
            tenant: 'ten_1',
            events: [...events, { seq: events.length + 1, at: 1_000_000, event: end }],
          });
        }
      }),
    );
  });
});
