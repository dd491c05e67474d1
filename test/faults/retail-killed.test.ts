import { recordingsFolder } from '../support/environment.js';
import { seededRandom } from '../support/random.js';
import { readRetail } from '../tau/retail-data.js';
import { expectedOf } from '../tau/retail-player.js';
import { playRetailKilled } from './retail-kills.js';

const LANES = 2;
/** Set by hand to repeat the moments of a failure. */
const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? Date.now() % 1_000_000);
/** Only a failure takes so long. */
const PATIENCE_MS = 600_000;

describe('the retail tasks of tau-bench, a worker killed at a random write of each', () => {
  const folder = recordingsFolder();
  if (folder === null) {
    test.skip('skipped: COUNTERSIGN_TEST_DATA names no folder of recordings', () => undefined);
    return;
  }
  const benchmark = readRetail(folder, 'dev');

  test(
    'every output and every final database is the expected one, and each write was made once',
    async () => {
      const random = seededRandom(SEED);
      const { played, kills } = await playRetailKilled(benchmark, benchmark.tasks, { lanes: LANES, random });
      const byTask = new Map(played.map((one) => [one.task, one]));
      const wanted = benchmark.tasks.map((task) => expectedOf(benchmark, task));
      const found = wanted.map(({ task }) => byTask.get(task));
      expect({ seed: SEED, found }).toEqual({ seed: SEED, found: wanted });
      expect(kills).toBe(benchmark.tasks.filter(({ actions }) => actions.length > 0).length);
    },
    PATIENCE_MS,
  );
});
