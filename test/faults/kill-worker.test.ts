import { type OrdersWorld, openOrders } from '../scenarios/orders-world.js';
import { seededRandom } from '../support/random.js';
import { approve, endOf, messagesOf, toolCallsOf } from '../support/runs.js';
import { type Stack, withStack } from '../support/stack.js';

const ROUNDS = 5;
const RUNS_A_ROUND = 10;
/** Set by hand to repeat the moments of a failure. */
const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? Date.now() % 1_000_000);

/** What the customer, the shop and the record say in the end; ids and times left out. */
interface FinalState {
  readonly messages: unknown;
  readonly calls: unknown;
  readonly refunds: unknown;
  readonly keys: number;
}

test(`a worker killed at ${ROUNDS * RUNS_A_ROUND} random moments of a refund: the same end, the refund made once`, async () => {
  const random = seededRandom(SEED);
  await withStack({ env: { WORKER_LEASE_SECONDS: '1' } }, async (stack) => {
    const together = Array.from({ length: RUNS_A_ROUND }, () => 0);
    await playRound(stack, [0], null);
    const undisturbed = await playRound(stack, together, null);
    const wanted = undisturbed.ends[0]?.state;
    expect(wanted?.refunds).toHaveLength(1);
    expect(undisturbed.ends.map((end) => end.state)).toEqual(together.map(() => wanted));

    let interrupted = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const starts = together.map(() => (random() * undisturbed.length) / 2);
      const killAt = undisturbed.length * (0.25 + 0.75 * random());
      const { ends } = await playRound(stack, starts, killAt).catch((error: unknown) => {
        throw new Error(`seed ${SEED}, round ${round}: ${String(error)}`, { cause: error });
      });
      interrupted += ends.filter((end) => end.interrupted).length;
      const states = ends.map((end) => end.state);
      expect({ seed: SEED, round, states }).toEqual({
        seed: SEED,
        round,
        states: starts.map(() => wanted),
      });
    }
    expect(interrupted).toBeGreaterThan(0);
    if (process.env.DBG) console.log('INTERRUPTED', interrupted, undisturbed.length);
  });
}, 120_000);

interface End {
  readonly state: FinalState;
  /** The worker died while it held the run. */
  readonly interrupted: boolean;
}

/** Starts a run at each of these moments and kills the worker at `killAt` (null: never); all in milliseconds. */
async function playRound(
  stack: Stack,
  starts: readonly number[],
  killAt: number | null,
): Promise<{ readonly ends: readonly End[]; readonly length: number }> {
  const worlds = await Promise.all(starts.map(() => openOrders({ stack })));
  const began = performance.now();
  const kill = killAt === null ? Promise.resolve() : after(killAt).then(() => killAndRestart(stack));
  const ends = worlds.map(async (world, index) => {
    await after(starts[index] ?? 0);
    return playRefund(world);
  });
  try {
    return { ends: await Promise.all(ends), length: performance.now() - began };
  } finally {
    await kill;
    await Promise.all(worlds.map((world) => world.close()));
  }
}

async function playRefund(world: OrdersWorld): Promise<End> {
  const { id } = await world.start('Please refund order 1.');
  await approve(world.api, id);
  await endOf(world.api, id, 'completed');
  const [calls, events] = await Promise.all([toolCallsOf(world.api, id), world.api.events(id)]);
  if (process.env.DBG) console.log(events.map((e) => e.type).join(' '));
  return {
    state: {
      messages: await messagesOf(world.api, id),
      calls: calls.map(({ tool, status, arguments: args, result }) => ({ tool, status, args, result })),
      refunds: world.database.allRefunds(),
      keys: new Set(world.tools.calls('refund_order').map((request) => request.idempotencyKey)).size,
    },
    interrupted: events.some((event) => event.type === 'run.handed_back'),
  };
}

async function killAndRestart(stack: Stack): Promise<void> {
  await stack.workers.at(-1)?.kill();
  await stack.startWorker();
}

/** The moment of a kill is a moment in time: nothing else is meant by it. */
function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
