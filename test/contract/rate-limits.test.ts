import { Api, createTenant } from '../support/client.js';
import { withStack } from '../support/stack.js';
import { expectProblem } from './problem.js';

const PER_SECOND = 20;

test('the operator\u2019s rate holds over all processes of the API, by the clock of the database', async () => {
  await withStack({ workers: 0 }, async (stack) => {
    const [{ api }, second] = await Promise.all([
      createTenant({ requestsPerSecond: PER_SECOND }, stack),
      stack.startApi(),
    ]);
    const processes = [api, new Api(second.url, api.key)];
    const began = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (processes[index % 2] as Api).get('/v1/agents')),
    );
    // What filled meanwhile, and what each process had in hand, comes on top of a second's worth.
    const seconds = (performance.now() - began) / 1_000;
    const admitted = replies.filter(({ status }) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(PER_SECOND);
    expect(admitted).toBeLessThanOrEqual(PER_SECOND * (1 + seconds) + 2);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(200 - admitted);
    for (const reply of refused) {
      expectProblem(reply, 429, 'rate_limited');
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });
});
