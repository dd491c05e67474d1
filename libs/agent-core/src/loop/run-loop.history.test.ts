import fc from 'fast-check';
import { historyFault } from '../model/check-history.js';
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
