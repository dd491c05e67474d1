import { type Gate, gate } from '../support/gate.js';
import { approvalOf, callOf, decide, endOf } from '../support/runs.js';
import { type Stack, startStack } from '../support/stack.js';
import type { RunView, ToolCallView } from '../support/wire.js';
import { type OrdersWorld, openOrders, proposeRefund } from './orders-world.js';

/** Four runs, each at another place of the line when their one worker is killed; a second worker finishes them. */
type Moment = 'before the intent' | 'after the intent' | 'after the effect' | 'after settling';
const MOMENTS: readonly Moment[] = [
  'before the intent',
  'after the intent',
  'after the effect',
  'after settling',
];

interface Outcome {
  readonly world: OrdersWorld;
  readonly run: RunView;
  readonly call: ToolCallView;
  readonly types: readonly string[];
}

describe('orders: the worker is killed', () => {
  let stack: Stack | undefined;
  let worlds: readonly OrdersWorld[] = [];
  const outcomes = new Map<Moment, Outcome>();

  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '4' } });
    const running = stack;
    const reached = MOMENTS.map(() => gate());
    worlds = await Promise.all(MOMENTS.map(() => openOrders({ stack: running })));
    const runs = await Promise.all(
      worlds.map(async (world, index) => {
        const arm = holdAt(world, MOMENTS[index] ?? 'after settling', reached[index] ?? gate());
        const { id } = await world.start('Refund order 1.', { agent: 'played' });
        const approval = await approvalOf(world.api, id);
        arm();
        await world.api.expect(200, decide(world.api, approval, { decision: 'approve' }));
        return id;
      }),
    );
    await Promise.all(reached.map((place) => place.opened));
    await running.workers[0]?.kill();
    await running.startWorker();
    await Promise.all(
      worlds.map(async (world, index) => {
        const runId = runs[index] ?? '';
        const run = await endOf(world.api, runId, 'completed');
        const call = await callOf(world.api, runId, 'refund_order');
        const types = (await world.api.events(runId)).map((event) => event.type);
        outcomes.set(MOMENTS[index] ?? 'after settling', { world, run, call, types });
      }),
    );
  }, 60_000);
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.close()));
    await stack?.stop();
  });

  const outcomeOf = (moment: Moment): Outcome => {
    const outcome = outcomes.get(moment);
    if (outcome === undefined) throw new Error(`nothing came of "${moment}"`);
    return outcome;
  };

  test.each(MOMENTS)('%s: the run completes, with one refund under one key', (moment) => {
    const { world, run, call } = outcomeOf(moment);
    expect(run.output).toBe('Refunded.');
    expect(call).toMatchObject({ status: 'succeeded', result: { orderId: 1, amount: '49.99' } });
    expect(world.database.allRefunds()).toHaveLength(1);
    const keys = world.tools.calls('refund_order').map((request) => request.idempotencyKey);
    expect(new Set(keys)).toEqual(new Set([call.ids.idempotencyKey]));
  });

  test('before the intent nothing had been sent, so it is simply done', () => {
    const { world, types } = outcomeOf('before the intent');
    expect(world.tools.calls('refund_order')).toHaveLength(1);
    expect(types).not.toContain('tool.unknown');
  });

  test('after the intent the shop is asked, says that nothing happened, and is tried once more', () => {
    const { world, types } = outcomeOf('after the intent');
    expect(world.tools.calls('refund_order', 'reconcile')).toHaveLength(1);
    expect(world.tools.calls('refund_order')).toHaveLength(2);
    expect(types.filter((type) => type === 'tool.settled')).toHaveLength(1);
  });

  test('after the effect the shop is asked, and the refund is not sent again', () => {
    const { world, types } = outcomeOf('after the effect');
    expect(world.tools.calls('refund_order', 'reconcile')).toHaveLength(1);
    expect(world.tools.calls('refund_order')).toHaveLength(1);
    expect(types.filter((type) => type === 'tool.settled')).toHaveLength(1);
  });

  test('after settling only the call to the model is made again, and what it may have cost is shown', () => {
    const { world, run, types } = outcomeOf('after settling');
    expect(world.tools.calls('refund_order')).toHaveLength(1);
    expect(world.tools.calls('refund_order', 'reconcile')).toHaveLength(0);
    expect(types.filter((type) => type === 'model.failed')).toHaveLength(1);
    expect(Number(run.wasteUsd)).toBeGreaterThan(0);
    expect(run.usage.estimated).toBe(true);
  });

  test('each interrupted run was handed back and resumed', () => {
    for (const { types } of outcomes.values()) {
      expect(types).toContain('run.handed_back');
      expect(types.indexOf('run.handed_back')).toBeLessThan(types.lastIndexOf('run.resumed'));
    }
  });
});

/** Once armed, opens `reached` when the run is at this place for the first time, and lets it hang there. */
function holdAt(world: OrdersWorld, moment: Moment, reached: Gate): () => void {
  const never = new Promise<never>(() => {});
  let armed = false;
  const first = (): boolean => {
    const isFirst = armed;
    armed = false;
    if (isFirst) reached.open();
    return isFirst;
  };
  const shop = world.shop('/refund_order');
  world.model.play(async (request) => {
    const asked = request.body.messages.some((message) => message.role === 'tool');
    if (!asked) return proposeRefund('call_1', 1, '49.99');
    if (moment === 'after settling' && first()) await never;
    return { text: 'Refunded.' };
  });
  if (moment === 'before the intent') {
    const check = world.shop('/refund_order/check');
    world.tools.onCheck('refund_order', (request) => (first() ? { hang: never } : check(request)));
  }
  if (moment === 'after the intent') {
    world.tools.on('refund_order', (request) => (first() ? { hang: never } : shop(request)));
  }
  if (moment === 'after the effect') {
    world.tools.on('refund_order', (request) => {
      const answer = shop(request);
      return first() ? { hang: never } : answer;
    });
  }
  return () => {
    armed = true;
  };
}
