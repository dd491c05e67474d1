import type { ModelEvent } from '../model/model-event.js';
import { foldRun } from '../run/evolve.js';
import { call, reply } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read, refundReply, waitingForApproval } from '../testing/refund-world.js';

const overloaded: Extract<ModelEvent, { type: 'failure' }> = {
  type: 'failure',
  failure: {
    code: 'overloaded',
    message: 'busy',
    status: 503,
    neverSent: false,
    retryAfterMs: 20,
    usage: null,
  },
};

describe('stopping', () => {
  test('a run that is cancelled while a model is waited for is not sent again', async () => {
    const world = new LoopWorld({ replies: [overloaded, done] });
    world.during.prepare = () => {
      if (world.asked.length === 1)
        world.append({ type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } });
    };
    await world.work();
    expect(world.asked).toHaveLength(1);
    expect(world.run.status).toMatchObject({ status: 'cancelled' });
  });

  test('a worker that is told to stop begins none of the calls that wait for their turn', async () => {
    const calls = [1, 2, 3].map((orderId) => call('search_orders', { orderId }));
    const world = new LoopWorld({
      tools: [read],
      limits: { maxParallelToolCalls: 1 },
      replies: [reply({ calls }), done],
    });
    world.during.execute = () => world.stop();
    await world.work();
    expect(world.performed).toHaveLength(1);
    world.during.execute = () => undefined;
    await world.work();
    expect(world.performed).toHaveLength(3);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('a ledger that cannot write is told to whoever runs the loop, and nothing is performed behind its back', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.breakLedger(new Error('the database is away'));
    await expect(world.work()).rejects.toThrow('the database is away');
    expect(world.performed).toHaveLength(0);
  });
});

describe('the state of a run', () => {
  test('is the same from events that went through JSON', async () => {
    const world = await waitingForApproval({ replies: [refundReply, done] });
    world.decide('approve');
    await world.work();
    const stored = JSON.parse(JSON.stringify(world.events)) as typeof world.events;
    expect(foldRun({ id: 'run_1', tenant: 'ten_1' }, stored)).toEqual(world.run);
  });

  test('is not made of a history without its beginning', async () => {
    const world = new LoopWorld({ replies: [done] });
    await world.work();
    const identity = { id: 'run_1', tenant: 'ten_1' };
    expect(() => foldRun(identity, world.events.slice(1))).toThrow('no creation');
    expect(() => foldRun(identity, [])).toThrow('no creation');
  });

  test('does not change by events about calls that were never made', async () => {
    const world = new LoopWorld({
      tools: [read],
      replies: [reply({ calls: [call('search_orders', {})] }), done],
    });
    await world.work();
    const { seq: _, ...before } = world.run;
    const stray = {
      toolCallId: 'tcl_never',
      output: '{}' as never,
      text: '{}',
      replayOf: null,
      bound: null,
      binding: '' as never,
    };
    world.append({ type: 'tool.succeeded', ...stray, attempts: 1 });
    world.append({
      type: 'tool.settled',
      toolCallId: 'tcl_never',
      outcome: 'happened',
      by: { type: 'reconcile' },
      output: null,
      text: '',
      binding: '' as never,
    });
    const { seq: __, ...after } = world.run;
    expect(after).toEqual(before);
  });
});
