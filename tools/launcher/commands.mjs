import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { DEMO_FILE, databaseName, keptDemos, seed, showDemo } from './demo.mjs';
import { readEnvironment } from './environment.mjs';
import { foreground } from './foreground.mjs';
import { migrate } from './migrate.mjs';
import { inRoot } from './paths.mjs';
import { isBuilt, program } from './programs.mjs';
import { runTests } from './run-tests.mjs';
import { StartError, say } from './say.mjs';
import { applicationSecrets } from './secrets.mjs';
import { serviceVariables, startServices } from './services.mjs';
import { session } from './session.mjs';
import { startStack } from './stack.mjs';
import { inTemporaryFolder } from './temporary-folder.mjs';
import { watch } from './watch.mjs';

const CUT_SHORT = { whenAskedToStop: 1 };

/** @type {Record<string, (args: string[]) => Promise<number>>} */
export const commands = {
  api: () => startAlone('api'),
  worker: () => startAlone('worker'),
  dashboard: () => startAlone('dashboard'),
  migrate: migrateNamed,
  seed: seedNamed,
  dev: () => watch(),
  bench: (args) => bench(args),
  faults: (args) => faults(args),
  demo: (args) => demo(args),
  screenshots: async () => (await import('./screenshots.mjs')).screenshots(),
};

/** One process apart; it reads its environment itself and refuses what is missing. @param {import('./programs.mjs').ProgramName} name */
async function startAlone(name) {
  const environment = readEnvironment(process.env, { demo: false });
  if (!isBuilt(name, environment)) {
    await build();
  }
  return foreground(program(name, environment).args);
}

function namedDatabase() {
  const { databaseUrl, migrationUrl, redisUrl } = readEnvironment(process.env, { demo: false });
  if (databaseUrl === undefined || migrationUrl === undefined) {
    throw new StartError('DATABASE_URL is not set; npm run services prints one, npm start needs none');
  }
  return { databaseUrl, migrationUrl, redisUrl };
}

async function migrateNamed() {
  const { databaseUrl, migrationUrl, redisUrl } = namedDatabase();
  await migrate({
    ownerUrl: migrationUrl,
    applicationUrl: databaseUrl,
    queueInPostgres: redisUrl === undefined,
  });
  say('The database is migrated');
  return 0;
}

async function seedNamed() {
  namedDatabase();
  await build();
  const made = await seed({ ...process.env, COUNTERSIGN_DEMO: '1' });
  if (made === undefined) {
    say('The demo is there already');
  } else {
    showDemo(made);
  }
  return 0;
}

/** A fresh Postgres that writes to disk as in production, and the queue. @param {string[]} args */
function bench(args) {
  const script = inRoot('test/bench/run.mjs');
  return inTemporaryFolder({ durable: true }, (folder) =>
    session(
      folder,
      async ({ directory, processes }) => {
        const environment = readEnvironment({ COUNTERSIGN_DATA_DIR: folder }, { demo: false });
        const [services] = await Promise.all([
          startServices({ environment, directory, processes, durable: true, database: 'countersign' }),
          build(),
        ]);
        await migrate({
          ownerUrl: services.migrationUrl,
          applicationUrl: services.databaseUrl,
          queueInPostgres: true,
        });
        const secrets = applicationSecrets(directory.file('secrets.env'), {});
        return foreground([script, ...args], { ...process.env, ...serviceVariables(services), ...secrets });
      },
      CUT_SHORT,
    ),
  );
}

/**
 * Faults by the minute, and their rows of docs/faults.md written anew; --only kills, say, for some of them.
 *
 * @param {string[]} args
 */
function faults(args) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      tasks: { type: 'string', default: '20' },
      only: { type: 'string', default: '' },
    },
  });
  for (const name of /** @type {const} */ (['minutes', 'tasks'])) {
    if (!(Number(values[name]) > 0)) {
      throw new StartError(`--${name} takes a number above 0, not ${JSON.stringify(values[name])}`);
    }
  }
  process.env.COUNTERSIGN_FAULT_MINUTES = values.minutes;
  process.env.COUNTERSIGN_FAULT_TASKS = values.tasks;
  const config = inRoot('test/faults/campaign/jest.config.cjs');
  return runTests(['--config', config, '--testNamePattern', values.only], {
    durable: true,
    postgresComesBack: true,
  });
}

/** A scenario in the terminal, against the stack that runs, else one that this command starts. @param {string[]} args */
async function demo(args) {
  const environment = { ...readEnvironment(process.env, { demo: true }), demo: true };
  const play = (/** @type {string} */ apiUrl, /** @type {string} */ key) =>
    foreground([inRoot('examples/dist/demo.js'), ...args], {
      ...process.env,
      API_URL: apiUrl,
      COUNTERSIGN_API_KEY: key,
    });
  const running = await runningDemo(environment);
  if (running !== undefined) {
    return play(running.apiUrl, running.apiKey);
  }
  return session(
    environment.dataDirectory,
    async (own) => {
      const stack = await startStack(environment, own, { quiet: true });
      if (stack.demo === undefined) {
        throw new StartError(
          'The demo was seeded by somebody else, who has its key: set COUNTERSIGN_DATA_DIR to theirs',
        );
      }
      return play(stack.apiUrl, stack.demo.apiKey);
    },
    CUT_SHORT,
  );
}

/** The API of a stack that was started from the same data directory, if it answers. @param {import('./environment.mjs').Environment} environment */
async function runningDemo({ apiPort, dataDirectory, databaseUrl }) {
  const kept = keptDemos(path.join(dataDirectory, DEMO_FILE))[databaseName(databaseUrl)];
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const answer = kept && (await fetch(`${apiUrl}/readyz`).catch(() => undefined));
  return kept !== undefined && answer?.ok ? { apiUrl, apiKey: kept.apiKey } : undefined;
}
