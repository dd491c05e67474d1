import { withServers } from '../support/definitions.js';
import { withStack } from '../support/stack.js';
import { startLoad, unhurt } from './load.js';

const RUNS = 24;

test('workers told to stop under load end with 0, and leave nothing that has to wait for a lease to end', () =>
  withStack({ workers: 1 }, (stack) =>
    withServers(async (servers) => {
      const load = await startLoad(stack, servers, RUNS);
      for (let time = 0; time < 2; time += 1) {
        const next = await stack.startWorker();
        expect(await stack.workers.at(-2)?.stop()).toBe(0);
        expect(next.pid).not.toBe(0);
      }
      expect(await load.outcome()).toEqual(unhurt(RUNS));
      const [row] = await stack.database.query<{ lost: number }>(
        `SELECT count(*)::int AS lost FROM run_events WHERE type = 'run.handed_back' AND data LIKE '%lease_expired%'`,
      );
      expect(row?.lost).toBe(0);
    }),
  ));
