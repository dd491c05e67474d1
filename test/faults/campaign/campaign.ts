import { withServers } from '../../support/definitions.js';
import { recordingsFolder } from '../../support/environment.js';
import { inLanes, Lanes } from '../../support/lanes.js';
import { seededRandom } from '../../support/random.js';
import { type Stack, withStack } from '../../support/stack.js';
import { readRetail } from '../../tau/retail-data.js';
import { expectedOf } from '../../tau/retail-player.js';
import { type Crash, crash, EACH_PASSAGE, playUndisturbed } from '../crashes.js';
import { OUTAGES } from '../outages.js';
import { startOwnRedis } from '../own-redis.js';
import type { RefundEnd } from '../refund.js';
import { playRetailKilled } from '../retail-kills.js';
import { type AtOnce, decideAtOnce, ONE_OUTCOME } from '../same-instant.js';
import { longestRecoveryMs, type Measured, publish } from './measured.js';
import { restartPostgres } from './restart-postgres.js';
import { sumOf, type UnderLoad, underLoad } from './under-load.js';
import { Crew, clockOff, pause } from './workers.js';

const MINUTES = Number(process.env.COUNTERSIGN_FAULT_MINUTES ?? '10');
/** Of the retail tasks, so many from the first on. */
const TASKS = Number(process.env.COUNTERSIGN_FAULT_TASKS ?? '20');
const KILLS = 500;
/** A killer mostly waits for the next worker to start: so many stacks of two workers have one each. */
const KILLERS = 2;
/** Killed faster, a run may lose five workers in a row before it comes to anything, and is given up as it should be. */
const KILL_WITHIN_MS = 1_000;
const OFTEN = 20;
const LEASE_SECONDS = 2;
const LEASE = { WORKER_LEASE_SECONDS: String(LEASE_SECONDS) };
/** Side by side where a fault mostly waits for a lease to end. */
const LANES = 5;
const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(SEED);
const measured: Measured[] = [];

/** A share of the whole time, from now on, and at most so many injections. */
const share = (part: number, times: number) => ({
  untilMs: performance.now() + MINUTES * 60_000 * part,
  times,
});

async function record(fault: string, stacks: readonly Stack[], counts: UnderLoad): Promise<void> {
  const recoveries = await Promise.all(stacks.map((stack) => longestRecoveryMs(stack)));
  note(fault, counts, recoveries);
}

function note(fault: string, { doubled, ...counts }: UnderLoad, recoveries: readonly (number | null)[]) {
  const known = recoveries.flatMap((each) => each ?? []);
  const longest = known.length === 0 ? null : Math.max(...known);
  measured.push({ fault, ...counts, duplicated: doubled, longestRecoveryMs: longest });
  process.stdout.write(`${fault}: ${JSON.stringify(measured.at(-1))}\n`);
}

afterAll(() => publish(measured, { seed: SEED, leaseSeconds: LEASE_SECONDS }));

afterEach(() => {
  const { lost, duplicated, stuck } = measured.at(-1) ?? { lost: 0, duplicated: 0, stuck: 0 };
  expect({ lost, duplicated, stuck }).toEqual({ lost: 0, duplicated: 0, stuck: 0 });
});

jest.setTimeout(MINUTES * 60_000 + 3_600_000);

test('kills: workers killed at random moments', async () => {
  const recoveries: (number | null)[] = [];
  const parts: UnderLoad[] = [];
  await inLanes(KILLERS, () =>
    withStack({ env: LEASE, workers: 2 }, async (stack) => {
      const crew = new Crew(stack, random);
      const kills = await underLoad(stack, share(0.5, KILLS / KILLERS), async () => {
        await pause(random() * KILL_WITHIN_MS);
        await crew.kill();
        return 1;
      });
      parts.push(kills);
      recoveries.push(await longestRecoveryMs(stack, crew.deaths));
    }),
  );
  note('a worker killed at a random moment', parts.reduce(sumOf), recoveries);
});

test('points: a worker killed at each fault point', async () => {
  const lanes = new Lanes<Crash, RefundEnd>(EACH_PASSAGE);
  const recoveries: (number | null)[] = [];
  const first: { undisturbed?: Promise<RefundEnd> } = {};
  await inLanes(LANES, () =>
    withStack({ env: LEASE }, async (stack) => {
      first.undisturbed ??= playUndisturbed(stack);
      await first.undisturbed;
      await lanes.play((one) => crash(stack, one));
      recoveries.push(await longestRecoveryMs(stack));
    }),
  );
  const story = JSON.stringify((await first.undisturbed)?.story);
  const ends = EACH_PASSAGE.map((one) => ({ ...one, ...lanes.resultOf(one) }));
  const count = (wrong: (end: (typeof ends)[number]) => boolean) => ends.filter(wrong).length;
  const counts = {
    injected: ends.length,
    runs: ends.length,
    lost: count((end) => end.truth === 'known' && JSON.stringify(end.story) !== story),
    doubled: count(({ refunds }) => refunds > 1),
    givenUp: 0,
    stuck: count(({ run }) => run.status !== 'completed'),
  };
  note('a worker killed at each named point, the truth known or not', counts, recoveries);
});

test('zombies: workers that stand still for three leases', () =>
  withStack({ env: LEASE, workers: 2 }, async (stack) => {
    const crew = new Crew(stack, random);
    const stops = await underLoad(stack, share(0.1, OFTEN), async () => {
      await crew.stop(3 * LEASE_SECONDS * 1000);
      return 1;
    });
    await record('a worker that stands still for three leases and goes on', [stack], stops);
  }));

test('clocks: workers whose clocks are ten minutes fast and slow', () =>
  withStack({ env: LEASE, workers: 0 }, async (stack) => {
    await Promise.all([stack.startWorker(clockOff(600_000)), stack.startWorker(clockOff(-600_000))]);
    const crew = new Crew(stack, random, () => clockOff(random() < 0.5 ? 600_000 : -600_000));
    const kills = await underLoad(stack, share(0.05, OFTEN), async () => {
      await pause(random() * 300);
      await crew.kill();
      return 1;
    });
    await record('a worker killed, all clocks ten minutes fast or slow', [stack], kills);
  }));

test.each(Object.entries(OUTAGES))('outages: Postgres %s', (name, outage) =>
  withStack({ env: LEASE, workers: 2 }, async (stack) => {
    const outages = await underLoad(stack, share(0.05, OFTEN), async () => {
      await pause(random() * 500);
      await outage(stack.database);
      return 1;
    });
    await record(`Postgres ${name}`, [stack], outages);
  }),
);

test('restarts: Postgres ended and started again', () =>
  withStack({ env: LEASE, workers: 2 }, async (stack) => {
    let times = 0;
    const restarts = await underLoad(stack, { untilMs: Number.POSITIVE_INFINITY, times: OFTEN }, async () => {
      await pause(random() * 1_000);
      await restartPostgres(stack.database, times % 2 === 0 ? 'fast' : 'immediate');
      times += 1;
      return 1;
    });
    await record('Postgres restarted, every second time as after a crash', [stack], restarts);
  }));

test.each(['flush', 'restart'] as const)('queue: %s', async (loss) => {
  const redis = await startOwnRedis();
  if (redis === null) return;
  try {
    const env = { ...LEASE, REDIS_URL: redis.url, WORKER_CONCURRENCY: '2' };
    await withStack({ env, workers: 2 }, async (stack) => {
      const limit = { ...share(0.05, OFTEN), runs: 200, held: true };
      const losses = await underLoad(stack, limit, async () => {
        await pause(random() * 300);
        await redis[loss]();
        return 1;
      });
      const fault =
        loss === 'flush' ? 'the queue emptied (FLUSHALL)' : 'the queue killed and restarted empty';
      await record(fault, [stack], losses);
    });
  } finally {
    await redis.stop();
  }
});

test('instant: two reviewers and the expiry of an approval at once', () =>
  withStack({ workers: 2 }, (stack) =>
    withServers(async (servers) => {
      const outcomes: AtOnce[] = [];
      for (let round = 0; round < 20; round += 1) {
        outcomes.push(...(await decideAtOnce(stack, servers, 50, 8)));
      }
      const kind = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
      process.stdout.write(`${['approved', 'rejected', 'expired'].map((one) => `${one} ${kind(one)}`)}\n`);
      const right = ONE_OUTCOME.map((one) => JSON.stringify(one));
      const counts = {
        injected: outcomes.length,
        runs: outcomes.length,
        lost: outcomes.filter((outcome) => !right.includes(JSON.stringify(outcome))).length,
        doubled: outcomes.filter(({ sent }) => sent > 1).length,
        givenUp: 0,
        stuck: 0,
      };
      await record('two reviewers and the expiry of an approval at one instant', [stack], counts);
    }),
  ));

test('tau: a worker killed at a random write of each retail task', async () => {
  const folder = recordingsFolder();
  if (folder === null) return;
  const splits = [readRetail(folder, 'dev'), readRetail(folder, 'train')];
  const recoveries: (number | null)[] = [];
  let counts: UnderLoad = { injected: 0, runs: 0, lost: 0, doubled: 0, givenUp: 0, stuck: 0 };
  for (const benchmark of splits) {
    const tasks = benchmark.tasks.slice(0, TASKS - counts.runs);
    const { played, kills } = await playRetailKilled(benchmark, tasks, {
      lanes: LANES,
      random,
      after: async (stack) => {
        recoveries.push(await longestRecoveryMs(stack));
      },
    });
    const found = new Map(played.map((one) => [one.task, one]));
    const wrong = tasks.filter((task) => {
      const [is, wanted] = [found.get(task.id), expectedOf(benchmark, task)].map((one) =>
        JSON.stringify(one),
      );
      if (is !== wanted) process.stdout.write(`${task.id}: ${is}\n  instead of ${wanted}\n`);
      return is !== wanted;
    });
    counts = {
      ...counts,
      injected: counts.injected + kills,
      runs: counts.runs + tasks.length,
      lost: counts.lost + wrong.length,
      doubled: counts.doubled + played.filter(({ effects }) => effects.some((times) => times > 1)).length,
    };
  }
  note('a worker killed at a random write of each retail task of tau-bench', counts, recoveries);
});
