import { Api, createTenant } from '../support/client.js';
import { withStack } from '../support/stack.js';
import { expectProblem } from './problem.js';

// That they share one bucket is a rule of test/database/rate-limits.test.ts: a process that cannot ask in time counts alone.
test('the operator\u2019s rate holds in every process of the API, and tells when to come again', async () => {
  await withStack({ workers: 0 }, async (stack) => {
    const [{ api }, second] = await Promise.all([
      createTenant({ requestsPerSecond: 1 }, stack),
      stack.startApi(),
    ]);
    for (const process of [api, new Api(second.url, api.key)]) {
      const replies = await Promise.all(Array.from({ length: 100 }, () => process.get('/v1/agents')));
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(100 - refused.length);
      for (const reply of refused) {
        expectProblem(reply, 429, 'rate_limited');
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    }
  });
});
