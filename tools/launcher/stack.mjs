import { openSync } from 'node:fs';
import { build } from './build.mjs';
import { DEMO_FILE, databaseName, isKept, seedDemo, showDemo } from './demo.mjs';
import { migrate } from './migrate.mjs';
import { freePort, refuseTakenPort } from './ports.mjs';
import { describeEnding } from './processes.mjs';
import { program, watchedProgram } from './programs.mjs';
import { ready } from './ready.mjs';
import { StartError, say } from './say.mjs';
import { applicationSecrets } from './secrets.mjs';
import { serviceVariables, startServices } from './services.mjs';

/**
 * @typedef {{ directory: import('./data-directory.mjs').DataDirectory, processes: import('./processes.mjs').Processes }} Session
 *
 * @typedef {object} StackOptions
 * @property {boolean} [watching] the processes start again when what they run changes
 * @property {boolean} [quiet] what they write goes to a file of the data directory
 *
 * @typedef {object} Stack what runs, once it is ready
 * @property {import('./demo.mjs').Demo | undefined} demo
 * @property {string} apiUrl
 * @property {Record<string, string | undefined>} env of its processes
 */

/**
 * Everything: services, build, migrations, demo, then API, worker and dashboard; resolves when all three are ready.
 *
 * @param {import('./environment.mjs').Environment} environment
 * @param {Session} session
 * @param {StackOptions} [options]
 * @returns {Promise<Stack>}
 */
export async function startStack(environment, { directory, processes }, options = {}) {
  await refuseTakenPorts(environment);
  const secretsFile = directory.file('secrets.env');
  const secrets = applicationSecrets(secretsFile, process.env);
  const [services] = await Promise.all([
    startServices({ environment, directory, processes, durable: true, database: 'countersign' }),
    build(),
  ]);
  await migrate({
    ownerUrl: services.migrationUrl,
    applicationUrl: services.databaseUrl,
    queueInPostgres: services.redisUrl === undefined,
  });
  const env = stackVariables(environment, services, secrets);
  const seeding = environment.demo
    ? { file: directory.file(DEMO_FILE), database: databaseName(environment.databaseUrl), env }
    : undefined;
  const made = seeding !== undefined && !isKept(seeding) ? await seedDemo(seeding) : undefined;
  const programOf = options.watching === true ? watchedProgram : program;
  const output = options.quiet === true ? logFile(directory.file('programs.log')) : 'lines';
  const [, kept] = await Promise.all([
    startPrograms({ environment, processes, env, programOf, output }),
    seeding !== undefined && made === undefined ? seedDemo(seeding) : undefined,
  ]);
  say(`Secrets: ${secretsFile}`);
  return { demo: made ?? kept, apiUrl: `http://127.0.0.1:${environment.apiPort}`, env };
}

/** @param {string} file */
function logFile(file) {
  say(`What the processes write: ${file}`);
  return openSync(file, 'w', 0o600);
}

/** @param {import('./environment.mjs').Environment} environment */
async function refuseTakenPorts({ apiPort, dashboardPort, workerPort, demo, demoShopPort }) {
  const wanted = {
    API_PORT: apiPort,
    DASHBOARD_PORT: dashboardPort,
    ...(workerPort === 0 ? {} : { WORKER_PORT: workerPort }),
    ...(demo ? { COUNTERSIGN_DEMO_SHOP_PORT: demoShopPort } : {}),
  };
  /** @type {Map<number, string>} */
  const taken = new Map();
  for (const [variable, port] of Object.entries(wanted)) {
    const other = taken.get(port);
    if (other !== undefined) {
      throw new StartError(
        `${variable} is ${port}, which ${other} has already; set ${variable} to a free port`,
      );
    }
    taken.set(port, variable);
    await refuseTakenPort(variable, port);
  }
}

/**
 * What the three processes get: the application's role alone, never the owner's.
 *
 * @param {import('./environment.mjs').Environment} environment
 * @param {import('./services.mjs').Services} services
 * @param {Record<string, string>} secrets
 * @returns {Record<string, string | undefined>}
 */
function stackVariables(environment, services, secrets) {
  const { DATABASE_MIGRATION_URL: _owner, ...application } = serviceVariables(services);
  const { DATABASE_MIGRATION_URL: _own, ...inherited } = process.env;
  return {
    ...inherited,
    ...application,
    ...secrets,
    COUNTERSIGN_DEMO: environment.demo ? '1' : '0',
    COUNTERSIGN_DATA_DIR: environment.dataDirectory,
    API_PORT: String(environment.apiPort),
    API_URL: `http://127.0.0.1:${environment.apiPort}`,
    DASHBOARD_PORT: String(environment.dashboardPort),
    NEXT_TELEMETRY_DISABLED: '1',
  };
}

/**
 * @param {object} options
 * @param {import('./environment.mjs').Environment} options.environment
 * @param {import('./processes.mjs').Processes} options.processes
 * @param {Record<string, string | undefined>} options.env
 * @param {typeof program} options.programOf
 * @param {number | 'lines'} options.output
 */
async function startPrograms({ environment, processes, env, programOf, output }) {
  const ports = {
    api: environment.apiPort,
    worker: environment.workerPort || (await freePort()),
    dashboard: environment.dashboardPort,
  };
  processes.beginNextRank();
  const names = /** @type {const} */ (['api', 'worker', 'dashboard']);
  await Promise.all(
    names.map((name) => {
      const running = processes.start({
        name,
        command: process.execPath,
        args: programOf(name, environment).args,
        env: { ...env, WORKER_PORT: String(ports.worker) },
        output,
      });
      return ready(running, ports[name]);
    }),
  );
}

/**
 * `npm start`: in the foreground until it is asked to stop, or one of its processes ends.
 *
 * @param {import('./environment.mjs').Environment} environment
 * @param {Session} session
 * @param {StackOptions} [options]
 * @returns {Promise<number>}
 */
export async function runStack(environment, session, options) {
  const { demo, apiUrl, env } = await startStack(environment, session, options);
  say('');
  say(`  Dashboard    http://127.0.0.1:${environment.dashboardPort}`);
  say(`  API          ${apiUrl}  (reference: ${apiUrl}/docs)`);
  if (demo !== undefined) {
    showDemo(demo);
  }
  say(`  Queue        ${env.REDIS_URL === undefined ? 'Postgres' : 'Redis'}`);
  say('  Ctrl-C stops everything; the data stays.');
  say('');
  throw new StartError(`${describeEnding(await session.processes.firstFailure)}; everything else is stopped`);
}
