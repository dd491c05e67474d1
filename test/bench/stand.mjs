import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { Customer } from './customer.mjs';
import { startProgram } from './programs.mjs';
import { startToolServer } from './tool-server.mjs';
import { cpuSeconds, cpuSecondsOfTree, parentOf } from './usage.mjs';

const { openQueueConnection } = createRequire(import.meta.url)(
  '../../apps/api/dist/platform/queue-connection.js',
);

/**
 * What is measured on: the services that the launcher started, API and worker, and tenants.
 *
 * @typedef {Awaited<ReturnType<typeof openStand>>} Stand
 *
 * @param {import('./options.mjs').Options} options
 */
export async function openStand({ tenants, profile }) {
  const { DATABASE_URL: applicationUrl, DATABASE_MIGRATION_URL: ownerUrl } = process.env;
  const { COUNTERSIGN_ADMIN_KEY: adminKey, REDIS_URL: redisUrl } = process.env;
  if (!applicationUrl || !ownerUrl || !adminKey) {
    throw new Error('the services are missing: start it with npm run bench');
  }
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 20, idleTimeoutMillis: 0 });
  const application = new pg.Pool({ connectionString: applicationUrl, max: 2 });
  const queue = { redisUrl: redisUrl ?? null, databaseUrl: applicationUrl };
  const servers = { postgres: await postgresPid(owner), redis: await redisPid(queue) };
  const start = (/** @type {'api' | 'worker'} */ name, /** @type {Record<string, string>} */ env = {}) =>
    startProgram(name, { profile, env });
  const [api, worker] = await Promise.all([start('api'), start('worker')]);
  const tool = await startToolServer();
  const customer = new Customer(api.url, adminKey, tool.url);
  const everybody = await Promise.all(
    Array.from({ length: Math.max(...tenants) }, (_, index) => customer.makeTenant(`tenant-${index + 1}`)),
  );
  const stand = {
    description: await describe(owner, queue),
    owner,
    application,
    queue,
    customer,
    tenants: everybody,
    api,
    worker,
    /** Ends the worker and starts another one. @param {Record<string, string>} env */
    restartWorker: async (env) => {
      await stand.worker.stop();
      stand.worker = await start('worker', env);
    },
    /** Seconds of CPU used so far, by process; absent where this system does not tell. */
    cpu: () => ({
      api: cpuSeconds(api.pid),
      worker: cpuSeconds(stand.worker.pid),
      postgres: servers.postgres === undefined ? undefined : cpuSecondsOfTree(servers.postgres),
      redis: servers.redis === undefined ? undefined : cpuSeconds(servers.redis),
      customers: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    }),
    close: async () => {
      customer.close();
      tool.close();
      await Promise.all([api.stop(), stand.worker.stop()]);
      await Promise.all([owner.end(), application.end()]);
    },
  };
  return stand;
}

/** What the figures depend on. @param {pg.Pool} owner @param {{ redisUrl: string | null }} queue */
async function describe(owner, { redisUrl }) {
  const { rows } = await owner.query(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous`,
  );
  const [{ version, fsync, synchronous }] = rows;
  const where = redisUrl === null ? 'Postgres' : 'Redis';
  return `${availableParallelism()} cores, Node ${process.versions.node}, Postgres ${version} (fsync ${fsync}, synchronous_commit ${synchronous}), queue in ${where}`;
}

/** The server's first process, where it is one of this machine. @param {pg.Pool} owner */
async function postgresPid(owner) {
  const { rows } = await owner.query('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0].pid);
}

/** @param {{ redisUrl: string | null, databaseUrl: string }} queue @returns {Promise<number | undefined>} */
async function redisPid(queue) {
  if (queue.redisUrl === null) {
    return undefined;
  }
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const { connection, close } = await openQueueConnection(queue, silent);
  const pid = /process_id:(\d+)/.exec(await connection.info('server'))?.[1];
  await close();
  return pid === undefined ? undefined : Number(pid);
}
