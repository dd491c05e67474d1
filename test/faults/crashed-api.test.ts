import { CUSTOMER, type OrdersWorld } from '../scenarios/orders-world.js';
import { inLanes, Lanes } from '../support/lanes.js';
import { approvalOf } from '../support/runs.js';
import type { ServerProcess } from '../support/server-process.js';
import { type Stack, withStack } from '../support/stack.js';
import type { Page, RunView } from '../support/wire.js';
import { API_POINTS } from './fault-points.cjs';
import { dyingAt, openRefund, playPerson } from './refund.js';

const LANES = 4;
/** Only a failure takes so long. */
const PATIENCE_MS = 600_000;

interface Case {
  readonly name: string;
  readonly play: (stack: Stack, world: OrdersWorld) => Promise<void>;
}

const ENDS_WELL = { refunds: 1, keys: 1, run: { status: 'completed' } };

const STARTS = API_POINTS.filter((point) => !point.startsWith('decision')).map(
  (point): Case => ({
    name: `at ${point} of a start: the run is not there at all, or it is and ends`,
    play: async (stack, world) => {
      const victim = await stack.startApi(dyingAt(point));
      const body = { agent: 'played', input: 'Refund order 1.', subject: { id: CUSTOMER } };
      const answer = await answerOf(victim, world, '/v1/runs', body);
      await victim.exited;
      const { data } = await world.api.expect(200, world.api.get<Page<RunView>>('/v1/runs'));
      expect(data).toHaveLength(point === 'start.before' ? 0 : 1);
      if (answer !== null) expect(answer).toBe(202);
      for (const { id } of data) expect(await playPerson(world, id)).toMatchObject(ENDS_WELL);
    },
  }),
);

const DECISIONS = API_POINTS.filter((point) => /^(decision|wake)/.test(point)).map(
  (point): Case => ({
    name: `at ${point} of an approval: it is made or it is not, and the run ends`,
    play: async (stack, world) => {
      const [victim, { id }] = await Promise.all([
        stack.startApi(dyingAt(point)),
        world.start('Refund order 1.', { agent: 'played' }),
      ]);
      const approval = await approvalOf(world.api, id);
      const { argumentsDigest } = approval;
      const path = `/v1/approvals/${approval.id}/decision`;
      await answerOf(victim, world, path, { decision: 'approve', argumentsDigest });
      await victim.exited;
      const again = await world.api.post(path, { decision: 'approve', argumentsDigest });
      expect(again.status).toBe(point === 'decision.before' ? 200 : 409);
      expect(await playPerson(world, id)).toMatchObject(ENDS_WELL);
    },
  }),
);

const CASES = [...STARTS, ...DECISIONS];

describe('an API that is killed between a commit and the waking of a worker', () => {
  const lanes = new Lanes(CASES);
  beforeAll(
    () =>
      withStack({}, (stack) =>
        inLanes(LANES, () =>
          lanes.play(async ({ play }) => {
            const world = await openRefund(stack, 'known');
            await play(stack, world).finally(() => world.close());
          }),
        ),
      ),
    PATIENCE_MS,
  );

  test.each(CASES)('$name', (one) => lanes.resultOf(one));
});

/** The status of what the dying API still answered; null where it said nothing. */
async function answerOf(victim: ServerProcess, { api }: OrdersWorld, path: string, body: object) {
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  return fetch(`${victim.url}${path}`, request).then(
    (response) => response.status,
    () => null,
  );
}
