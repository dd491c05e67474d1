import { openOrders } from '../scenarios/orders-world.js';
import { gate } from '../support/gate.js';
import { inLanes, Lanes } from '../support/lanes.js';
import { callOf, endOf } from '../support/runs.js';
import { type Stack, withStack } from '../support/stack.js';
import { type Crash, crash, EACH_POINT, playUndisturbed, whileOthersDie } from './crashes.js';
import { RECOVERY_POINTS } from './fault-points.cjs';
import { diesBefore, dyingAt, openRefund, playPerson, type RefundEnd } from './refund.js';

/** They mostly wait for leases to end. */
const LANES = 2;
/** Only a failure takes so long. */
const PATIENCE_MS = 600_000;

interface Case {
  readonly name: string;
  readonly play: (stack: Stack) => Promise<void>;
}

let undisturbed: Promise<RefundEnd> | null = null;

const AT_A_POINT = EACH_POINT.map((one): Case => {
  const { point, times, truth } = one;
  return {
    name: `at ${point}, passage ${times}, the truth ${truth}: nothing twice, nothing lost`,
    play: (stack) => crashOnce(stack, one),
  };
});

async function crashOnce(stack: Stack, one: Crash): Promise<void> {
  undisturbed ??= playUndisturbed(stack);
  const { story } = await undisturbed;
  const result = await crash(stack, one);
  expect(result).toMatchObject({ keys: 1, refunds: 1, asked: one.truth === 'unknowable' });
  expect(result.run).toMatchObject({ status: 'completed', output: 'Refunded.' });
  if (one.truth === 'known') expect(result.story).toEqual(story);
}

const IN_RECOVERY = RECOVERY_POINTS.map(
  (point): Case => ({
    name: `at ${point}, after another was killed with the effect sent: it is made once`,
    play: async (stack) => {
      const end = await refundWhileKilled(stack, [point]);
      expect(end).toMatchObject({ asked: false, refunds: 1, keys: 1, run: { status: 'completed' } });
    },
  }),
);

const AGAIN_AND_AGAIN: Case = {
  name: 'five times at one point: the run fails with worker_lost, and its effect in doubt is asked for',
  play: async (stack) => {
    const end = await refundWhileKilled(stack, Array<string>(5).fill('reconcile.sent'));
    const run = { status: 'failed', statusReason: { code: 'worker_lost' } };
    expect(end).toMatchObject({ asked: true, refunds: 1, keys: 1, run, call: { status: 'succeeded' } });
  },
};

/** A refund whose first worker dies once the shop has made it, and each further one at the next of these points. */
async function refundWhileKilled(stack: Stack, points: readonly string[]) {
  const world = await openRefund(stack, 'known');
  try {
    const end = await whileOthersDie(stack, async () => {
      const first = await stack.startWorker(dyingAt('effect.answered'));
      const { id } = await world.start('Refund order 1.', { agent: 'played' });
      const ending = playPerson(world, id);
      await diesBefore(first, ending);
      for (const point of points) await diesBefore(await stack.startWorker(dyingAt(point)), ending);
      return { ending };
    });
    const ended = await end.ending;
    return { ...ended, call: await callOf(world.api, ended.run.id, 'refund_order') };
  } finally {
    await world.close();
  }
}

const RENEWING_AND_SWEEPING: Case = {
  name: 'as it renews leases, and the next one as it has swept what that one left: the third completes the run',
  play: async (stack) => {
    const world = await openOrders({ stack });
    try {
      const answers = gate();
      world.model.play(async () => {
        await answers.opened;
        return { text: 'Good morning.' };
      });
      const { id } = await whileOthersDie(stack, async () => {
        const renewing = await stack.startWorker(dyingAt('leases.renewed'));
        const run = await world.start('Good morning.', { agent: 'played' });
        await renewing.exited;
        const sweeping = await stack.startWorker(dyingAt('sweep.returned'));
        await sweeping.exited;
        return run;
      });
      answers.open();
      expect(await endOf(world.api, id, 'completed')).toMatchObject({ output: 'Good morning.' });
    } finally {
      await world.close();
    }
  },
};

/** The longest first. */
const CASES = [AGAIN_AND_AGAIN, ...IN_RECOVERY, RENEWING_AND_SWEEPING, ...AT_A_POINT];

describe('a worker killed', () => {
  const lanes = new Lanes(CASES);
  beforeAll(
    () =>
      inLanes(LANES, () =>
        withStack({ env: { WORKER_LEASE_SECONDS: '2' } }, (stack) => lanes.play(({ play }) => play(stack))),
      ),
    PATIENCE_MS,
  );

  test.each(CASES)('$name', (one) => lanes.resultOf(one));
});
