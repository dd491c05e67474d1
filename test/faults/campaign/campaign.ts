import { withServers } from '../../support/definitions.js';
import { recordingsFolder } from '../../support/environment.js';
import { seededRandom } from '../../support/random.js';
import { type Stack, withStack } from '../../support/stack.js';
import { readRetail } from '../../tau/retail-data.js';
import { playRetail } from '../../tau/retail-player.js';
import { crash, EACH_PASSAGE, playUndisturbed } from '../crashes.js';
import { OUTAGES } from '../outages.js';
import { startOwnRedis } from '../own-redis.js';
import { longestRecoveryMs, type Measured, publish } from './measured.js';
import { type UnderLoad, underLoad } from './under-load.js';
import { Crew, pause } from './workers.js';

const MINUTES = Number(process.env.COUNTERSIGN_FAULT_MINUTES ?? '10');
const KILLS = 500;
const OFTEN = 50;
const LEASE = { WORKER_LEASE_SECONDS: '1' };
const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(SEED);
const measured: Measured[] = [];

/** A share of the whole time, from now on. */
const share = (part: number, times: number) => ({
  untilMs: performance.now() + MINUTES * 60_000 * part,
  times,
});

async function record(fault: string, stack: Stack, { doubled, ...counts }: UnderLoad): Promise<void> {
  measured.push({ fault, ...counts, duplicated: doubled, longestRecoveryMs: await longestRecoveryMs(stack) });
}

afterAll(() => publish(measured, SEED));

afterEach(() => {
  const { lost, duplicated, stuck } = measured.at(-1) ?? { lost: 0, duplicated: 0, stuck: 0 };
  expect({ lost, duplicated, stuck }).toEqual({ lost: 0, duplicated: 0, stuck: 0 });
});

jest.setTimeout(MINUTES * 60_000 + 1_200_000);

test('workers killed at random moments', () =>
  withStack({ env: LEASE, workers: 4 }, async (stack) => {
    const crew = new Crew(stack, random);
    const killOne = async () => {
      await pause(random() * 300);
      await crew.kill();
    };
    const kills = await underLoad(stack, share(0.5, KILLS), async () => {
      await Promise.all([killOne(), killOne()]);
      return 2;
    });
    await record('a worker killed at a random moment', stack, kills);
  }));

test('a worker killed at each fault point', () =>
  withStack({ env: LEASE }, async (stack) => {
    const { story } = await playUndisturbed(stack);
    let counts = { injected: 0, runs: 0, lost: 0, doubled: 0, givenUp: 0, stuck: 0 };
    for (const one of EACH_PASSAGE) {
      const end = await crash(stack, one);
      const same = one.truth === 'unknowable' || JSON.stringify(end.story) === JSON.stringify(story);
      counts = {
        ...counts,
        injected: counts.injected + 1,
        runs: counts.runs + 1,
        lost: counts.lost + (same ? 0 : 1),
        doubled: counts.doubled + Math.max(0, end.refunds - 1),
        stuck: counts.stuck + (end.run.status === 'completed' ? 0 : 1),
      };
    }
    await record('a worker killed at each named point, the truth known or not', stack, counts);
  }));

test('workers that stand still for three leases', () =>
  withStack({ env: LEASE, workers: 2 }, async (stack) => {
    const crew = new Crew(stack, random);
    const stops = await underLoad(stack, share(0.1, OFTEN), async () => {
      await crew.stop(3_000);
      return 1;
    });
    await record('a worker that stands still for three leases and goes on', stack, stops);
  }));

test.each(Object.entries(OUTAGES))('Postgres %s', (name, outage) =>
  withStack({ env: LEASE, workers: 2 }, async (stack) => {
    const outages = await underLoad(stack, share(0.06, OFTEN), async () => {
      await pause(random() * 500);
      await outage(stack.database);
      return 1;
    });
    await record(`Postgres ${name}`, stack, outages);
  }),
);

test.each(['flush', 'restart'] as const)('the queue: %s', async (loss) => {
  const redis = await startOwnRedis();
  if (redis === null) return;
  try {
    const env = { ...LEASE, REDIS_URL: redis.url, WORKER_CONCURRENCY: '2' };
    await withStack({ env, workers: 2 }, async (stack) => {
      const losses = await underLoad(stack, share(0.05, OFTEN), async () => {
        await pause(random() * 300);
        await redis[loss]();
        return 1;
      });
      const fault = loss === 'flush' ? 'the queue emptied' : 'the queue killed and restarted empty';
      await record(fault, stack, losses);
    });
  } finally {
    await redis.stop();
  }
});

test('the tasks of a benchmark, each write signed, while workers are killed', async () => {
  const folder = recordingsFolder();
  if (folder === null) return;
  const benchmark = readRetail(folder, 'dev');
  await withStack({ env: LEASE, workers: 2 }, (stack) =>
    withServers(async (servers) => {
      const crew = new Crew(stack, random);
      let playing = true;
      let injected = 0;
      const played = playRetail(benchmark, servers, stack).finally(() => {
        playing = false;
      });
      const killing = (async () => {
        while (playing) {
          await pause(random() * 2_000);
          await crew.kill();
          injected += 1;
        }
      })();
      const byTask = new Map((await played).map((one) => [one.task, one]));
      await killing;
      const right = ({ id }: { readonly id: string }) =>
        byTask.get(id)?.database === benchmark.expected.get(id)?.canonical_sha256;
      const lost = benchmark.tasks.filter((task) => !right(task)).length;
      const doubled = [...servers.tools.effects.values()].filter((times) => times > 1).length;
      const counts = { injected, runs: benchmark.tasks.length, lost, doubled, givenUp: 0, stuck: 0 };
      await record('the retail tasks of tau-bench, workers killed meanwhile', stack, counts);
    }),
  );
});
