import pg from 'pg';
import { build } from './build.mjs';
import { connect } from './connect.mjs';
import { readEnvironment } from './environment.mjs';
import { foreground } from './foreground.mjs';
import { migrate } from './migrate.mjs';
import { inRoot } from './paths.mjs';
import { applicationSecrets } from './secrets.mjs';
import { startServices } from './services.mjs';
import { session } from './session.mjs';
import { inTemporaryFolder } from './temporary-folder.mjs';

const TEMPLATE = 'countersign_template';
const CUT_SHORT = { whenAskedToStop: 1 };
/**
 * Fifteen times V8's own (67,584), for Jest and its workers: most of what they load runs once. The unit tests take an
 * eighth less time so; our own processes take as long as before, and are started as ever.
 */
const OPTIMIZE_LATE = '--interrupt-budget=1000000';

/**
 * @param {string[]} args for Jest
 * @param {{ durable: boolean, postgresComesBack: boolean }} [services] as production has them, for tests that break them
 * @returns {Promise<number>} Jest's exit code
 */
export function runTests(args, services = { durable: false, postgresComesBack: false }) {
  return inTemporaryFolder(services, (folder) =>
    session(
      folder,
      async ({ directory, processes }) => {
        const environment = readEnvironment({ COUNTERSIGN_DATA_DIR: folder }, { demo: false });
        const [started] = await Promise.all([
          startServices({ environment, directory, processes, database: TEMPLATE, ...services }),
          build(),
        ]);
        await migrate({
          ownerUrl: started.migrationUrl,
          applicationUrl: started.databaseUrl,
          queueInPostgres: true,
        });
        await closeTemplate(started.superuserUrl ?? started.migrationUrl);
        const secrets = applicationSecrets(directory.file('secrets.env'), {});
        return foreground(
          [OPTIMIZE_LATE, inRoot('node_modules/jest/bin/jest.js'), ...args],
          testVariables(started, secrets),
        );
      },
      CUT_SHORT,
    ),
  );
}

/** A template that somebody is connected to cannot be cloned. @param {string} superuserUrl */
async function closeTemplate(superuserUrl) {
  const client = await connect(superuserUrl, 'the embedded Postgres');
  await client.query(
    `ALTER DATABASE ${pg.escapeIdentifier(TEMPLATE)} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`,
  );
  await client.end();
}

/**
 * @param {import('./services.mjs').Services} services
 * @param {Record<string, string>} secrets
 */
function testVariables({ migrationUrl, databaseUrl, superuserUrl, redisUrl }, secrets) {
  const ours = ['DATABASE_URL', 'DATABASE_MIGRATION_URL', 'REDIS_URL'];
  const inherited = Object.entries(process.env).filter(([name]) => !ours.includes(name));
  return {
    ...Object.fromEntries(inherited),
    TEST_DATABASE_OWNER_URL: inDatabase(migrationUrl, 'postgres'),
    TEST_DATABASE_APP_URL: inDatabase(databaseUrl, 'postgres'),
    TEST_DATABASE_SUPERUSER_URL: superuserUrl,
    TEST_DATABASE_TEMPLATE: TEMPLATE,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...secrets,
  };
}

/** @param {string} url @param {string} database */
function inDatabase(url, database) {
  const moved = new URL(url);
  moved.pathname = `/${database}`;
  return moved.href;
}
