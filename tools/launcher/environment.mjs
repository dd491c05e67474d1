import path from 'node:path';
import { root } from './paths.mjs';
import { StartError } from './say.mjs';

/**
 * @typedef {object} Environment
 * @property {string | undefined} databaseUrl the application's role; undefined: the embedded Postgres
 * @property {string | undefined} migrationUrl the owner; databaseUrl when not set
 * @property {string | undefined} redisUrl undefined: a redis-server on the PATH, else the queue in Postgres
 * @property {number} apiPort
 * @property {number} workerPort 0 picks a free one
 * @property {number} dashboardPort
 * @property {string} host where the dashboard listens
 * @property {string} dataDirectory absolute
 * @property {boolean} demo
 * @property {number} demoShopPort the shop that the demo's tools call, in the API's process
 */

/**
 * Reads what the launcher needs. A wrong value is refused with one line: the variable, what it got, what it takes.
 *
 * @param {Record<string, string | undefined>} variables
 * @param {{ demo: boolean }} defaults
 * @returns {Environment}
 */
export function readEnvironment(variables, defaults) {
  const databaseUrl = url(variables, 'DATABASE_URL', ['postgresql:', 'postgres:']);
  const migrationUrl = url(variables, 'DATABASE_MIGRATION_URL', ['postgresql:', 'postgres:']);
  if (databaseUrl === undefined && migrationUrl !== undefined) {
    throw new StartError('DATABASE_URL is not set, but DATABASE_MIGRATION_URL is; set both, or none of them');
  }
  return {
    databaseUrl,
    migrationUrl: migrationUrl ?? databaseUrl,
    redisUrl: url(variables, 'REDIS_URL', ['redis:', 'rediss:']),
    apiPort: port(variables, 'API_PORT', 3001, 1),
    workerPort: port(variables, 'WORKER_PORT', 3002, 0),
    dashboardPort: port(variables, 'DASHBOARD_PORT', 3000, 1),
    demoShopPort: port(variables, 'COUNTERSIGN_DEMO_SHOP_PORT', 3003, 1),
    host: variables.COUNTERSIGN_HOST || '127.0.0.1',
    dataDirectory: path.resolve(root, variables.COUNTERSIGN_DATA_DIR || '.countersign'),
    demo: flag(variables, 'COUNTERSIGN_DEMO', defaults.demo),
  };
}

/** @param {Record<string, string | undefined>} variables @param {string} name @param {string[]} protocols */
function url(variables, name, protocols) {
  const got = variables[name];
  if (got === undefined || got === '') {
    return undefined;
  }
  const protocol = URL.canParse(got) ? new URL(got).protocol : undefined;
  if (protocol === undefined || !protocols.includes(protocol)) {
    // The rest of it may hold a password.
    const shown = protocol === undefined ? 'no URL' : `${protocol}//...`;
    throw new StartError(
      `${name} is ${shown}; it takes ${protocols.map((one) => `${one}//...`).join(' or ')}`,
    );
  }
  return got;
}

/** @param {Record<string, string | undefined>} variables @param {string} name @param {number} byDefault @param {number} least */
function port(variables, name, byDefault, least) {
  const got = variables[name];
  if (got === undefined || got === '') {
    return byDefault;
  }
  const value = /^\d{1,5}$/.test(got) ? Number(got) : Number.NaN;
  if (!(value >= least && value <= 65_535)) {
    throw new StartError(`${name} is ${JSON.stringify(got)}; it takes a port from ${least} to 65535`);
  }
  return value;
}

/** @param {Record<string, string | undefined>} variables @param {string} name @param {boolean} byDefault */
function flag(variables, name, byDefault) {
  const got = variables[name];
  if (got === undefined || got === '') {
    return byDefault;
  }
  if (got !== '0' && got !== '1') {
    throw new StartError(`${name} is ${JSON.stringify(got)}; it takes 0 or 1`);
  }
  return got === '1';
}
