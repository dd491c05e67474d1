import { withServers } from '../support/definitions.js';
import { type Stack, startStack } from '../support/stack.js';
import { startLoad, unhurt } from './load.js';
import { OUTAGES } from './outages.js';

const RUNS = 24;
const TIMES = 3;

jest.setTimeout(300_000);

describe('Postgres', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '1' }, workers: 2 });
  });
  afterAll(() => stack.stop());

  test.each(Object.entries(OUTAGES))(
    `%s, ${TIMES} times while ${RUNS} runs run: each ends, with its effect once or known not to be made`,
    (_name, outage) =>
      withServers(async (servers) => {
        const load = await startLoad(stack, servers, RUNS);
        for (let time = 0; time < TIMES; time += 1) {
          await moved(stack);
          await outage(stack.database);
        }
        const outcome = await load.outcome();
        expect(outcome).toEqual(unhurt(RUNS, outcome.givenUp));
        const [open] = await stack.database.query<{ open: number }>(
          `SELECT count(*)::int AS open FROM runs WHERE reserved_usd <> 0 OR lease_owner IS NOT NULL`,
        );
        expect(open?.open).toBe(0);
      }),
  );
});

/** Waits until some run has moved since it was last looked at, or nothing is left to move. */
async function moved({ database }: Stack): Promise<void> {
  const look = async () => {
    const [row] = await database.query<{ events: number; open: number }>(
      `SELECT (SELECT count(*)::int FROM run_events) AS events,
              (SELECT count(*)::int FROM runs WHERE status IN ('queued', 'running')) AS open`,
    );
    return row ?? { events: 0, open: 0 };
  };
  const before = await look();
  for (let now = before; now.open > 0 && now.events === before.events; now = await look());
}
