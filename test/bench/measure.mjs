import { bareCommits, emptyJobs } from './floors.mjs';
import { runsOf } from './options.mjs';
import { inSlots } from './slots.mjs';
import { shapeOfRun, storedBytes } from './storage.mjs';
import { watchMemory } from './usage.mjs';

/**
 * @typedef {import('./stand.mjs').Stand} Stand
 * @typedef {import('./options.mjs').Options} Options
 * @typedef {{ rounds: number, tenants: number, read: import('./customer.mjs').Read }} Load
 * @typedef {Awaited<ReturnType<typeof measureRuns>>} RunFigures
 * @typedef {Awaited<ReturnType<typeof measureFloor>>} FloorFigures
 * @typedef {Awaited<ReturnType<typeof measureQueue>>} QueueFigures
 * @typedef {Awaited<ReturnType<typeof measureMemory>>} MemoryFigures
 */

/** Caches are filled and code is compiled before anything counts. @param {Stand} stand @param {Options} options */
export async function warmUp(stand, { concurrency, quick }) {
  const count = (quick ? 5 : 20) * concurrency;
  await inSlots({ count, concurrency }, (index) => stand.customer.run(tenantOf(stand, index, Infinity), 3));
}

/**
 * Runs of so many rounds that read in this way, of so many tenants in turn.
 *
 * @param {Stand} stand @param {Options} options @param {Load} load
 */
export async function measureRuns(stand, options, { rounds, tenants, read }) {
  const { concurrency } = options;
  const count = runsOf(options, rounds);
  const bytesBefore = await storedBytes(stand.owner);
  const before = stand.cpu();
  const pace = await inSlots({ count, concurrency }, (index) =>
    stand.customer.run(tenantOf(stand, index, tenants), rounds, read),
  );
  const after = stand.cpu();
  return {
    rounds,
    tenants,
    read,
    runs: count,
    ...pace,
    modelCallsPerSecond: pace.perSecond * (rounds + 1),
    bytesPerRun: ((await storedBytes(stand.owner)) - bytesBefore) / count,
    cpuPerRun: perRun(before, after, count),
  };
}

/**
 * What this Postgres and this queue do at best, beside runs of so many rounds.
 *
 * @param {Stand} stand @param {Options} options @param {number} rounds
 */
export async function measureFloor(stand, options, rounds) {
  const [tenant] = stand.tenants;
  if (tenant === undefined) {
    throw new Error('there is no tenant');
  }
  const shape = await shapeOfRun(stand.application, tenant.id, await stand.customer.run(tenant, rounds));
  const { concurrency } = options;
  return {
    rounds,
    shape,
    pace: await bareCommits(stand.owner, shape, { runs: runsOf(options, rounds), concurrency }),
  };
}

/** The floors that have no rounds. @param {Stand} stand @param {Options} options */
export async function measureQueue(stand, { quick, concurrency }) {
  const runs = quick ? 200 : 2_000;
  const three = { commits: 3, rows: 3, rowBytes: 300 };
  return {
    jobs: await emptyJobs(stand.queue, { jobs: quick ? 600 : 6_000, concurrency }),
    threeCommitsAlone: await bareCommits(stand.owner, three, { runs: runs / 10, concurrency: 1 }),
    threeCommits: await bareCommits(stand.owner, three, { runs, concurrency }),
  };
}

/** The most memory that API and worker hold while a hundred runs are under way at once. @param {Stand} stand @param {Options} options */
export async function measureMemory(stand, { quick }) {
  await stand.restartWorker({ WORKER_CONCURRENCY: String(RUNNING) });
  const rounds = quick ? 20 : 199;
  const watched = watchMemory({ api: stand.api.pid, worker: stand.worker.pid });
  const size = { count: RUNNING, concurrency: RUNNING };
  await inSlots(size, (index) => stand.customer.run(tenantOf(stand, index, Infinity), rounds));
  return { runs: RUNNING, rounds, mostBytes: watched.stop() };
}

const RUNNING = 100;

/** @param {Stand} stand @param {number} index @param {number} tenants @returns {import('./customer.mjs').Tenant} */
function tenantOf(stand, index, tenants) {
  const tenant = stand.tenants[index % Math.min(tenants, stand.tenants.length)];
  if (tenant === undefined) {
    throw new Error('there is no tenant');
  }
  return tenant;
}

/**
 * @param {Record<string, number | undefined>} before @param {Record<string, number | undefined>} after @param {number} runs
 * @returns {Record<string, number | undefined>} milliseconds of CPU a run, by process
 */
function perRun(before, after, runs) {
  const used = (/** @type {string} */ name) => {
    const [from, to] = [before[name], after[name]];
    return from === undefined || to === undefined ? undefined : ((to - from) * 1_000) / runs;
  };
  return Object.fromEntries(Object.keys(after).map((name) => [name, used(name)]));
}
