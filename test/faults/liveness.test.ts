import { createTenant } from '../support/client.js';
import { createAgent, startRun, testModel, withServers } from '../support/definitions.js';
import { endOf } from '../support/runs.js';
import { withStack } from '../support/stack.js';

interface Readiness {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

test('a worker that claims nothing while work waits is not ready and says why, until it claims again', () =>
  withStack({ env: { WORKER_LEASE_SECONDS: '1' } }, (stack) =>
    withServers(async ({ model }) => {
      const { api } = await createTenant({}, stack);
      await createAgent(api, { model: testModel(model) });
      model.play(() => ({ text: 'Done.' }));
      const worker = stack.workers[0]?.url ?? '';
      await stack.database.query('REVOKE EXECUTE ON FUNCTION claim_run FROM countersign_app');
      const { id } = await startRun(api);
      const starved = await until(worker, ({ code }) => code === 503);
      expect(starved.body).toEqual({
        status: 'not ready',
        checks: {
          database: 'ok',
          migrations: 'ok',
          queue: 'ok',
          claims: expect.stringMatching(
            /^work has waited for \d+ s and none is claimed: claiming fails: The database refused a statement$/,
          ),
        },
      });
      await stack.database.query('GRANT EXECUTE ON FUNCTION claim_run TO countersign_app');
      await endOf(api, id, 'completed');
      const well = await until(worker, ({ code }) => code === 200);
      expect(well.body).toMatchObject({ status: 'ready', checks: { claims: 'ok' } });
    }),
  ));

async function until(url: string, wanted: (answer: { readonly code: number }) => boolean) {
  for (;;) {
    const response = await fetch(`${url}/readyz`);
    const answer = { code: response.status, body: (await response.json()) as Readiness };
    if (wanted(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
