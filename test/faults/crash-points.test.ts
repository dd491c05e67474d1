import { openOrders } from '../scenarios/orders-world.js';
import { callOf, endOf } from '../support/runs.js';
import { type Stack, startStack, withStack } from '../support/stack.js';
import { CRASHES, type Crash, crash, playUndisturbed } from './crashes.js';
import { RECOVERY_POINTS } from './fault-points.cjs';
import { diesBefore, dyingAt, openRefund, playPerson, type RefundEnd } from './refund.js';

const LANES = 3;

describe('a worker killed at each point between claiming a run and letting go of it', () => {
  const waiting = [...CRASHES];
  const results = new Map<Crash, RefundEnd>();
  let undisturbed: unknown;

  beforeAll(async () => {
    const lanes = Array.from({ length: LANES }, () =>
      withStack({ env: { WORKER_LEASE_SECONDS: '1' } }, async (stack) => {
        undisturbed ??= (await playUndisturbed(stack)).story;
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          results.set(next, await crash(stack, next));
        }
      }),
    );
    const failures = (await Promise.allSettled(lanes)).flatMap((lane) =>
      lane.status === 'rejected' ? [lane.reason] : [],
    );
    if (failures.length > 0) throw failures[0];
  }, 240_000);

  test.each(CRASHES)('$point, passage $times, the truth $truth: nothing twice, nothing lost', (one) => {
    const result = results.get(one);
    if (result === undefined) throw new Error('it was not played');
    expect(result.keys).toBe(1);
    expect(refundsAfter(one)).toContain(result.refunds);
    expect(result.asked).toBe(one.truth === 'unknowable');
    expect(result.run).toMatchObject({ status: 'completed', output: 'Refunded.' });
    if (one.truth === 'known') expect(result.story).toEqual(undisturbed);
  });
});

/** A person who finds no refund in the shop says so; then none is made. */
function refundsAfter({ point, truth }: Crash): readonly number[] {
  if (truth === 'known') return [1];
  return point === 'intent.after' ? [0] : point === 'effect.sent' ? [0, 1] : [1];
}

/** A second worker dies while it recovers what the first one left. */
describe.each(RECOVERY_POINTS)(
  'a worker killed at %s, after another was killed with the effect sent',
  (point) => {
    test('the refund is made once, and the third worker learns of it', () =>
      withStack({ env: { WORKER_LEASE_SECONDS: '1' }, workers: 0 }, async (stack) => {
        const world = await openRefund(stack, 'known');
        try {
          const first = await stack.startWorker(dyingAt('effect.answered'));
          const { id } = await world.start('Refund order 1.', { agent: 'played' });
          const end = playPerson(world, id);
          await diesBefore(first, end);
          await diesBefore(await stack.startWorker(dyingAt(point)), end);
          await stack.startWorker();
          expect(await end).toMatchObject({
            asked: false,
            refunds: 1,
            keys: 1,
            run: { status: 'completed' },
          });
        } finally {
          await world.close();
        }
      }));
  },
);

describe('a worker killed', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '1' }, workers: 0 });
  });
  afterAll(() => stack.stop());

  test('as it renews leases, and the next one as it has swept what that one left: the third completes the run', async () => {
    const world = await openOrders({ stack });
    try {
      let answer = (): void => {};
      const late = new Promise<void>((resolve) => {
        answer = resolve;
      });
      world.model.play(async () => {
        await late;
        return { text: 'Good morning.' };
      });
      const renewing = await stack.startWorker(dyingAt('leases.renewed'));
      const { id } = await world.start('Good morning.', { agent: 'played' });
      await renewing.exited;
      const sweeping = await stack.startWorker(dyingAt('sweep.returned'));
      await sweeping.exited;
      answer();
      await stack.startWorker();
      expect(await endOf(world.api, id, 'completed')).toMatchObject({ output: 'Good morning.' });
    } finally {
      await world.close();
    }
  });

  test('five times at one point: the run fails with worker_lost, and its effect in doubt is asked for', async () => {
    const world = await openRefund(stack, 'known');
    try {
      const { id } = await world.start('Refund order 1.', { agent: 'played' });
      const end = playPerson(world, id);
      const survivor = stack.workers.at(-1);
      survivor?.signal('SIGSTOP');
      await diesBefore(await stack.startWorker(dyingAt('effect.sent')), end);
      for (let lost = 0; lost < 5; lost += 1) {
        await diesBefore(await stack.startWorker(dyingAt('reconcile.sent')), end);
      }
      survivor?.signal('SIGCONT');
      expect(await end).toMatchObject({
        asked: true,
        refunds: 1,
        keys: 1,
        run: { status: 'failed', statusReason: { code: 'worker_lost' } },
      });
      expect(await callOf(world.api, id, 'refund_order')).toMatchObject({ status: 'succeeded' });
    } finally {
      await world.close();
    }
  });
});
