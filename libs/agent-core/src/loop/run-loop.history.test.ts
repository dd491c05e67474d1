import fc from 'fast-check';
import { historyFault } from '../model/check-history.js';
import { conversationOf } from '../run/conversation.js';
import type { RunEvent } from '../run/run-event.js';
import type { JsonText } from '../shared/brand.js';
import { digestOf } from '../shared/digest.js';
import { call, reply } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read } from '../testing/refund-world.js';

describe('the history that a model is sent', () => {
  test('is never one that providers refuse: the run ends before anything is reserved or sent', async () => {
    const world = new LoopWorld({ replies: [done] });
    const [created] = world.events;
    if (created?.event.type !== 'run.queued' || created.event.reason !== 'created')
      throw new Error('not created');
    world.events[0] = { ...created, event: { ...created.event, input: [{ role: 'user', content: '' }] } };
    await world.work();
    expect(world.asked).toEqual([]);
    expect(world.run.status).toMatchObject({
      status: 'failed',
      reason: {
        code: 'internal',
        message: expect.stringContaining('an empty message of the user') as unknown,
      },
    });
  });

  test('is sound whatever ids the calls come with, and the original ids are kept', async () => {
    const id = fc.constantFrom(null, 'a', 'b', 'call_0');
    const turns = fc.array(fc.array(id, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(turns, async (ids) => {
        let orderId = 0;
        const replies = ids.map((turn) =>
          reply({
            calls: turn.map((providerCallId) => {
              orderId += 1;
              return call('search_orders', { orderId }, providerCallId);
            }),
          }),
        );
        const world = new LoopWorld({ tools: [read], replies: [...replies, done] });
        await world.work();
        expect(world.run.status).toMatchObject({ status: 'completed' });
        expect(world.asked.map(({ conversation }) => historyFault(conversation))).toEqual(
          world.asked.map(() => null),
        );
        const kept = world.run.turns
          .slice(0, -1)
          .map(({ calls }) => calls.map((each) => each.providerCallId));
        expect(kept).toEqual(ids);
      }),
    );
  });
});

describe('a result goes back to the model only where it is the one that was recorded for its call', () => {
  const two = reply({
    calls: [call('search_orders', { orderId: 1 }, 'a'), call('search_orders', { orderId: 2 }, 'b')],
  });
  type Succeeded = Extract<RunEvent, { type: 'tool.succeeded' }>;

  /** A run whose worker was lost between two results and the next model call, and whose record was changed then. */
  const changed = async (change: (event: RunEvent, results: readonly Succeeded[]) => RunEvent) => {
    const world = new LoopWorld({ tools: [read], replies: [two, done] });
    world.outcome = ({ arguments: text }) => ({ type: 'succeeded', output: text, attempts: 1 });
    world.killAt = 'after_settle';
    expect(await world.work()).toBe('killed');
    const found = world.events.flatMap(({ event }) => (event.type === 'tool.succeeded' ? event : []));
    expect(found).toHaveLength(2);
    for (const [place, stored] of world.events.entries()) {
      world.events[place] = { ...stored, event: change(stored.event, found) };
    }
    await world.work();
    return world;
  };

  test('as it was: the run goes on', async () => {
    const world = await changed((event) => event);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test.each<[string, (result: Succeeded, other: Succeeded) => Succeeded]>([
    ['whose calls were swapped', (result, { toolCallId }) => ({ ...result, toolCallId })],
    ['whose outputs were swapped', (result, { output, text }) => ({ ...result, output, text })],
    ['with other words', (result) => ({ ...result, text: `${result.text} ` })],
    ['with another output', (result) => ({ ...result, output: '{}' as JsonText })],
    ['with a binding of another run', (result) => ({ ...result, binding: digestOf('{}' as JsonText) })],
  ])('results %s are refused, and no model is asked', async (_, change) => {
    const world = await changed((event, found) => {
      const other = found.find((one) => one !== event);
      return event.type === 'tool.succeeded' && other !== undefined ? change(event, other) : event;
    });
    expect(world.asked).toHaveLength(1);
    expect(world.run.status).toMatchObject({
      status: 'failed',
      reason: { code: 'internal', message: expect.stringContaining('the result of tcl_') as unknown },
    });
  });

  test('arguments that are not those of their digest are refused', async () => {
    const world = await changed((event) =>
      event.type === 'tool.permitted' ? { ...event, arguments: '{"orderId":3}' as JsonText } : event,
    );
    expect(world.asked).toHaveLength(1);
    expect(world.run.status).toMatchObject({
      status: 'failed',
      reason: { code: 'internal', message: expect.stringContaining('the arguments of tcl_') as unknown },
    });
  });

  test('a second result of a call, and one of a call that was never made, change nothing', async () => {
    const world = new LoopWorld({ tools: [read], replies: [two, done] });
    world.killAt = 'after_settle';
    await world.work();
    const [first] = world.events.flatMap(({ event }) => (event.type === 'tool.succeeded' ? event : []));
    if (first === undefined) throw new Error('no result');
    const before = conversationOf(world.run, []);
    world.append({ ...first, text: 'another' });
    world.append({ ...first, toolCallId: 'tcl_never' });
    expect(conversationOf(world.run, [])).toEqual(before);
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });
});
