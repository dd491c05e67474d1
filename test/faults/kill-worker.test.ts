import { type OrdersWorld, openOrders } from '../scenarios/orders-world.js';
import { seededRandom } from '../support/random.js';
import { approve, endOf, messagesOf, toolCallsOf } from '../support/runs.js';
import { type Stack, withStack } from '../support/stack.js';

const ROUNDS = 10;
const RUNS_A_ROUND = 5;
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
    const undisturbed = await openOrders({ stack });
    const began = performance.now();
    const wanted = await playRefund(undisturbed);
    const length = performance.now() - began;
    await undisturbed.close();
    expect(wanted.refunds).toHaveLength(1);

    for (let round = 1; round <= ROUNDS; round += 1) {
      const worlds = await Promise.all(Array.from({ length: RUNS_A_ROUND }, () => openOrders({ stack })));
      const starts = worlds.map(() => random() * length);
      const kill = after(length).then(() => killAndRestart(stack));
      const ends = await Promise.all(
        worlds.map(async (world, index) => {
          await after(starts[index] ?? 0);
          return playRefund(world);
        }),
      ).catch((error: unknown) => {
        throw new Error(`seed ${SEED}, round ${round}: ${String(error)}`, { cause: error });
      });
      await kill;
      await Promise.all(worlds.map((world) => world.close()));
      expect({ seed: SEED, round, ends }).toEqual({ seed: SEED, round, ends: worlds.map(() => wanted) });
    }
  });
}, 120_000);

async function playRefund(world: OrdersWorld): Promise<FinalState> {
  const { id } = await world.start('Please refund order 1.');
  await approve(world.api, id);
  await endOf(world.api, id, 'completed');
  const calls = await toolCallsOf(world.api, id);
  return {
    messages: await messagesOf(world.api, id),
    calls: calls.map(({ tool, status, arguments: args, result }) => ({ tool, status, args, result })),
    refunds: world.database.allRefunds(),
    keys: new Set(world.tools.calls('refund_order').map((request) => request.idempotencyKey)).size,
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
