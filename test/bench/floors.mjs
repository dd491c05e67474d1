// What the same machine does without us: the least that durable work on this Postgres and this queue costs.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { inSlots } from './slots.mjs';

const { openQueueConnection } = createRequire(import.meta.url)(
  '../../apps/api/dist/platform/queue-connection.js',
);

/**
 * Bare commits of the rows of such a run: as many commits, as many rows of as many bytes, one table, one key, no checks.
 *
 * @param {import('pg').Pool} owner
 * @param {{ commits: number, rows: number, rowBytes: number }} shape
 * @param {{ runs: number, concurrency: number }} size
 */
export async function bareCommits(owner, { commits, rows, rowBytes }, { runs, concurrency }) {
  await owner.query(`DROP TABLE IF EXISTS bench_floor;
    CREATE TABLE bench_floor (run int, seq int, position int, body text, PRIMARY KEY (run, seq, position))`);
  const rowsEach = Math.max(1, Math.round(rows / commits));
  // Random, so that it is not compressed.
  const body = randomBytes(Math.ceil((rowBytes * 3) / 4))
    .toString('base64')
    .slice(0, rowBytes);
  const commit = {
    name: 'bench_floor',
    text: 'INSERT INTO bench_floor SELECT $1::int, $2::int, n, $3::text FROM generate_series(1, $4::int) AS n',
  };
  // Connections are open, and the statement is prepared on each, before anything counts.
  await inSlots({ count: concurrency, concurrency }, (slot) =>
    owner.query({ ...commit, values: [-1 - slot, 0, body, rowsEach] }),
  );
  const pace = await inSlots({ count: runs, concurrency }, async (run) => {
    for (let seq = 0; seq < commits; seq += 1) {
      await owner.query({ ...commit, values: [run, seq, body, rowsEach] });
    }
  });
  await owner.query('DROP TABLE bench_floor');
  return pace;
}

/**
 * Jobs that carry nothing and do nothing, and how long one takes from its posting until its end is seen.
 *
 * @param {{ redisUrl: string | null, databaseUrl: string }} environment of the queue
 * @param {{ jobs: number, concurrency: number }} size
 */
export async function emptyJobs(environment, { jobs, concurrency }) {
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const { connection, queueBackend, close } = await openQueueConnection(environment, silent);
  const queue = new Queue(
    'bench-floor',
    { connection, defaultJobOptions: { removeOnComplete: true } },
    queueBackend,
  );
  const ends = new QueueEvents('bench-floor', { connection }, queueBackend);
  for (const waited of [queue, ends]) {
    waited.setMaxListeners(2 * concurrency);
  }
  const process = async () => {};
  const worker = new Worker('bench-floor', process, { connection, concurrency: 50 }, queueBackend);
  await Promise.all([worker.waitUntilReady(), ends.waitUntilReady()]);

  let processed = 0;
  const all = new Promise((resolve) => {
    worker.on('completed', () => {
      processed += 1;
      if (processed === jobs) {
        resolve(undefined);
      }
    });
  });
  const began = performance.now();
  await inSlots({ count: jobs, concurrency }, () => queue.add('empty', {}));
  await all;
  const perSecond = jobs / ((performance.now() - began) / 1_000);

  const roundTrip = async () => (await queue.add('empty', {})).waitUntilFinished(ends);
  const alone = await inSlots({ count: Math.ceil(jobs / 20), concurrency: 1 }, roundTrip);
  const together = await inSlots({ count: jobs, concurrency }, roundTrip);
  await worker.close();
  await ends.close();
  await queue.close();
  await close();
  return { perSecond, alone, together };
}
