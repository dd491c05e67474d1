import { openOrders } from '../scenarios/orders-world.js';
import { gate } from '../support/gate.js';
import { callOf, endOf } from '../support/runs.js';
import { type Stack, startStack, withStack } from '../support/stack.js';
import { type Crash, crash, EACH_POINT, playUndisturbed } from './crashes.js';
import { RECOVERY_POINTS } from './fault-points.cjs';
import { diesBefore, dyingAt, openRefund, playPerson, type RefundEnd } from './refund.js';

const LANES = 3;

describe('a worker killed at each point between claiming a run and letting go of it', () => {
  const waiting = [...EACH_POINT];
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

  test.each(EACH_POINT)('$point, passage $times, the truth $truth: nothing twice, nothing lost', (one) => {
    const result = results.get(one);
    if (result === undefined) throw new Error('it was not played');
    expect(result.keys).toBe(1);
    expect(result.refunds).toBe(1);
    expect(result.asked).toBe(one.truth === 'unknowable');
    expect(result.run).toMatchObject({ status: 'completed', output: 'Refunded.' });
    if (one.truth === 'known') expect(result.story).toEqual(undisturbed);
  });
});

describe('a worker killed', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '1' } });
  });
  afterAll(() => stack.stop());

  /** The stack's own worker stands still while others die, and goes on when all of them are dead. */
  async function whileOthersDie(dying: () => Promise<void>): Promise<void> {
    const survivor = stack.workers[0];
    survivor?.signal('SIGSTOP');
    await dying().finally(() => survivor?.signal('SIGCONT'));
  }

  test.each(RECOVERY_POINTS)(
    'at %s, after another was killed with the effect sent: it is made once',
    async (point) => {
      const world = await openRefund(stack, 'known');
      try {
        const ends: Promise<RefundEnd>[] = [];
        await whileOthersDie(async () => {
          const first = await stack.startWorker(dyingAt('effect.answered'));
          const { id } = await world.start('Refund order 1.', { agent: 'played' });
          const end = playPerson(world, id);
          ends.push(end);
          await diesBefore(first, end);
          await diesBefore(await stack.startWorker(dyingAt(point)), end);
        });
        const wanted = { asked: false, refunds: 1, keys: 1, run: { status: 'completed' } };
        expect(await Promise.all(ends)).toMatchObject([wanted]);
      } finally {
        await world.close();
      }
    },
  );

  test('as it renews leases, and the next one as it has swept what that one left: the third completes the run', async () => {
    const world = await openOrders({ stack });
    try {
      const answers = gate();
      world.model.play(async () => {
        await answers.opened;
        return { text: 'Good morning.' };
      });
      let runId = '';
      await whileOthersDie(async () => {
        const renewing = await stack.startWorker(dyingAt('leases.renewed'));
        const { id } = await world.start('Good morning.', { agent: 'played' });
        runId = id;
        await renewing.exited;
        const sweeping = await stack.startWorker(dyingAt('sweep.returned'));
        await sweeping.exited;
      });
      answers.open();
      expect(await endOf(world.api, runId, 'completed')).toMatchObject({ output: 'Good morning.' });
    } finally {
      await world.close();
    }
  });

  test('five times at one point: the run fails with worker_lost, and its effect in doubt is asked for', async () => {
    const world = await openRefund(stack, 'known');
    try {
      const ends: Promise<RefundEnd>[] = [];
      await whileOthersDie(async () => {
        const first = await stack.startWorker(dyingAt('effect.answered'));
        const { id } = await world.start('Refund order 1.', { agent: 'played' });
        const end = playPerson(world, id);
        ends.push(end);
        await diesBefore(first, end);
        for (let lost = 0; lost < 5; lost += 1) {
          await diesBefore(await stack.startWorker(dyingAt('reconcile.sent')), end);
        }
      });
      const run = { status: 'failed', statusReason: { code: 'worker_lost' } };
      const [end] = await Promise.all(ends);
      expect(end).toMatchObject({ asked: true, refunds: 1, keys: 1, run });
      expect(await callOf(world.api, end?.run.id ?? '', 'refund_order')).toMatchObject({
        status: 'succeeded',
      });
    } finally {
      await world.close();
    }
  });
});
