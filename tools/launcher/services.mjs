import { databaseUrl, startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { ensureOwnedDatabase } from './roles.mjs';
import { databasePasswords } from './secrets.mjs';

const OWNER = 'countersign_owner';
const APPLICATION = 'countersign';

/**
 * @typedef {object} Services
 * @property {string} databaseUrl the application's role
 * @property {string} migrationUrl the owner
 * @property {string | undefined} redisUrl undefined: the queue lives in Postgres
 * @property {string | undefined} superuserUrl of the embedded Postgres
 */

/**
 * Brings up Postgres and the queue, or takes those that the environment names.
 *
 * @param {object} options
 * @param {import('./environment.mjs').Environment} options.environment
 * @param {import('./data-directory.mjs').DataDirectory} options.directory taken already
 * @param {import('./processes.mjs').Processes} options.processes
 * @param {boolean} options.durable
 * @param {boolean} [options.postgresComesBack] the embedded one is started again whenever it ends
 * @param {string} options.database the name of the embedded database
 * @returns {Promise<Services>}
 */
export async function startServices({
  environment,
  directory,
  processes,
  durable,
  database,
  postgresComesBack = false,
}) {
  const redis = environment.redisUrl ?? startRedis({ directory, processes });
  if (environment.databaseUrl !== undefined && environment.migrationUrl !== undefined) {
    const { databaseUrl: application, migrationUrl } = environment;
    return { databaseUrl: application, migrationUrl, redisUrl: await redis, superuserUrl: undefined };
  }
  const passwords = databasePasswords(directory.file('postgres-passwords.json'));
  const [redisUrl, { port, superuserUrl }] = await Promise.all([
    redis,
    startPostgres({ directory, processes, passwords, durable, comesBack: postgresComesBack }),
  ]);
  await ensureOwnedDatabase(superuserUrl, { owner: OWNER, password: passwords.owner, database });
  return {
    databaseUrl: databaseUrl({ user: APPLICATION, password: passwords.application, port, database }),
    migrationUrl: databaseUrl({ user: OWNER, password: passwords.owner, port, database }),
    redisUrl,
    superuserUrl,
  };
}

/**
 * The variables by which every process of ours finds the services.
 *
 * @param {Services} services
 */
export function serviceVariables({ databaseUrl: application, migrationUrl, redisUrl }) {
  return {
    DATABASE_URL: application,
    DATABASE_MIGRATION_URL: migrationUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
}
