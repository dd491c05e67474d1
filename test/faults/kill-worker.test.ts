import { type OrdersWorld, openOrders } from '../scenarios/orders-world.js';
import { seededRandom } from '../support/random.js';
import { approve, endOf, messagesOf, toolCallsOf } from '../support/runs.js';
import { type Stack, withStack } from '../support/stack.js';

const ROUNDS = 12;
const RUNS_A_ROUND = 4;
/** A refund asks the shop five times: two reads, the facts for the card and before the effect, the effect. */
const REQUESTS_A_RUN = 5;
/** Long enough to fall anywhere between one request to the shop and the next. */
const LONGEST_DELAY_MS = 20;
/** Set by hand to repeat the moments of a failure. */
const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? Date.now() % 1_000_000);

/** What the customer, the shop and the record say in the end; ids and times left out. */
interface FinalState {
  readonly messages: unknown;
  readonly calls: unknown;
  readonly refunds: readonly unknown[];
  readonly keys: number;
}

/** The worker is killed so long after the round's n-th request to the shop: wherever its runs then are. */
interface Moment {
  readonly request: number;
  readonly delayMs: number;
}

test(`a worker killed at ${ROUNDS} random moments of ${RUNS_A_ROUND} refunds: the same end, each refund made once`, async () => {
  const random = seededRandom(SEED);
  const moments: readonly Moment[] = Array.from({ length: ROUNDS }, () => ({
    request: 1 + Math.floor(random() * RUNS_A_ROUND * REQUESTS_A_RUN),
    delayMs: random() * LONGEST_DELAY_MS,
  }));
  const ends: (readonly End[])[] = [];
  let wanted: End | undefined;
  await withStack({ env: { WORKER_LEASE_SECONDS: '1' } }, async (stack) => {
    [wanted] = await playRound(stack, null);
    for (const moment of moments) ends.push(await playRound(stack, moment));
  });
  expect(wanted?.state).toMatchObject({ keys: 1, refunds: [{ orderId: 1, amount: '49.99' }] });
  const states = ends.map((round) => round.map(({ state }) => state));
  expect({ seed: SEED, states }).toEqual({
    seed: SEED,
    states: ends.map((round) => round.map(() => wanted?.state)),
  });
  const interrupted = ends.flat().filter((end) => end.interrupted).length;
  expect(interrupted).toBeGreaterThanOrEqual(ROUNDS / 2);
}, 600_000);

interface End {
  readonly state: FinalState;
  /** The worker died while it held the run. */
  readonly interrupted: boolean;
}

/** Refunds side by side; at the moment the worker is killed, and at once another one is started. */
async function playRound(stack: Stack, moment: Moment | null): Promise<readonly End[]> {
  const worlds = await Promise.all(Array.from({ length: RUNS_A_ROUND }, () => openOrders({ stack })));
  let requests = 0;
  let replaced: Promise<unknown> = Promise.resolve();
  for (const world of worlds) {
    listen(world, () => {
      requests += 1;
      if (requests === moment?.request) replaced = after(moment.delayMs).then(() => replaceWorker(stack));
    });
  }
  try {
    return await Promise.all(worlds.map(playRefund));
  } finally {
    await replaced;
    await Promise.all(worlds.map((world) => world.close()));
  }
}

async function playRefund(world: OrdersWorld): Promise<End> {
  const { id } = await world.start('Please refund order 1.');
  await approve(world.api, id);
  await endOf(world.api, id, 'completed');
  const [calls, events] = await Promise.all([toolCallsOf(world.api, id), world.api.events(id)]);
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

/** Calls `noticed` with every request to the shop, which answers as ever. */
function listen(world: OrdersWorld, noticed: () => void): void {
  const answering = (path: string) => {
    const answer = world.shop(path);
    return (request: Parameters<typeof answer>[0]) => {
      noticed();
      return answer(request);
    };
  };
  for (const tool of ['search_orders', 'draft_refund', 'refund_order']) {
    world.tools.on(tool, answering(`/${tool}`));
  }
  world.tools.onCheck('refund_order', answering('/refund_order/check'));
}

async function replaceWorker(stack: Stack): Promise<void> {
  await stack.workers.at(-1)?.kill();
  await stack.startWorker();
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
