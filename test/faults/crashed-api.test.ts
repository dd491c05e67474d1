import { CUSTOMER, type OrdersWorld } from '../scenarios/orders-world.js';
import { approvalOf } from '../support/runs.js';
import type { ServerProcess } from '../support/server-process.js';
import { type Stack, startStack } from '../support/stack.js';
import type { Page, RunView } from '../support/wire.js';
import { API_POINTS } from './fault-points.cjs';
import { dyingAt, openRefund, playPerson } from './refund.js';

describe('an API that is killed between a commit and the waking of a worker', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '1' } });
  });
  afterAll(() => stack.stop());

  const startPoints = API_POINTS.filter((point) => !point.startsWith('decision'));
  test.each(startPoints)(
    'killed at %s of a start: the run is not there at all, or it is and ends',
    async (point) => {
      const world = await openRefund(stack, 'known');
      try {
        const victim = await stack.startApi(dyingAt(point));
        const body = { agent: 'played', input: 'Refund order 1.', subject: { id: CUSTOMER } };
        const answer = await answerOf(victim, world, '/v1/runs', body);
        await victim.exited;
        const { data } = await world.api.expect(200, world.api.get<Page<RunView>>('/v1/runs'));
        expect(data).toHaveLength(point === 'start.before' ? 0 : 1);
        if (answer !== null) expect(answer).toBe(202);
        for (const { id } of data) {
          expect(await playPerson(world, id)).toMatchObject({
            refunds: 1,
            keys: 1,
            run: { status: 'completed' },
          });
        }
      } finally {
        await world.close();
      }
    },
  );

  const decisionPoints = API_POINTS.filter((point) => /^(decision|wake)/.test(point));
  test.each(decisionPoints)(
    'killed at %s of an approval: it is made or it is not, and the run ends',
    async (point) => {
      const world = await openRefund(stack, 'known');
      try {
        const { id } = await world.start('Refund order 1.', { agent: 'played' });
        const approval = await approvalOf(world.api, id);
        const victim = await stack.startApi(dyingAt(point));
        const { argumentsDigest } = approval;
        const path = `/v1/approvals/${approval.id}/decision`;
        await answerOf(victim, world, path, { decision: 'approve', argumentsDigest });
        await victim.exited;
        const again = await world.api.post(path, { decision: 'approve', argumentsDigest });
        expect(again.status).toBe(point === 'decision.before' ? 200 : 409);
        expect(await playPerson(world, id)).toMatchObject({
          refunds: 1,
          keys: 1,
          run: { status: 'completed' },
        });
      } finally {
        await world.close();
      }
    },
  );
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
