import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { runMigrations } from 'bullmq';
import { connect } from './connect.mjs';
import { inRoot } from './paths.mjs';
import { ensureRoles } from './roles.mjs';
import { runToEnd } from './run-to-end.mjs';
import { StartError, say } from './say.mjs';

const QUEUE_SCHEMA = 'bullmq';

/**
 * Brings a database to the shape that this checkout wants: roles, tables, and the queue's schema where there is no Redis.
 *
 * @param {{ ownerUrl: string, applicationUrl: string, queueInPostgres: boolean }} options
 */
export async function migrate({ ownerUrl, applicationUrl, queueInPostgres }) {
  await ensureRoles(ownerUrl, applicationUrl);
  const client = await connect(ownerUrl, 'DATABASE_MIGRATION_URL');
  try {
    if (!(await isMigrated(client))) {
      say('Migrating the database');
      await deploy(ownerUrl);
    }
    if (queueInPostgres) {
      await migrateQueue(client);
    }
  } finally {
    await client.end();
  }
}

/**
 * Whether every migration of the checkout is applied as it stands: a second of Prisma's start-up saved at each start.
 *
 * @param {import('pg').Client} client
 */
async function isMigrated(client) {
  const { rows } = await client.query(`SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS known`);
  if (rows[0].known !== true) {
    return false;
  }
  const applied = await client.query(
    'SELECT migration_name, checksum FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const checksums = new Map(applied.rows.map((row) => [row.migration_name, row.checksum]));
  return migrationsOfCheckout().every(({ name, checksum }) => checksums.get(name) === checksum);
}

function migrationsOfCheckout() {
  const folder = inRoot('prisma', 'migrations');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => existsSync(`${folder}/${name}/migration.sql`))
    .map((name) => {
      const script = readFileSync(`${folder}/${name}/migration.sql`);
      return { name, checksum: createHash('sha256').update(script).digest('hex') };
    });
}

/** @param {string} ownerUrl */
async function deploy(ownerUrl) {
  const prisma = inRoot('node_modules/prisma/build/index.js');
  const { code, output } = await runToEnd(process.execPath, [prisma, 'migrate', 'deploy'], {
    env: { ...process.env, DATABASE_MIGRATION_URL: ownerUrl },
  });
  if (code !== 0) {
    throw new StartError(`prisma migrate deploy failed:\n${output.trim()}`);
  }
}

/**
 * The application's role works in the queue's schema. What is there belongs to the owner, save what BullMQ makes while
 * it works (a sequence a queue): that is the application's own already, and not the owner's to grant.
 *
 * @param {import('pg').Client} client
 */
async function migrateQueue(client) {
  await runMigrations(client, QUEUE_SCHEMA);
  await client.query(`
    GRANT USAGE, CREATE ON SCHEMA ${QUEUE_SCHEMA} TO countersign_app;
    DO $$
    DECLARE
      object record;
    BEGIN
      FOR object IN SELECT oid::regclass AS name, relkind FROM pg_class
        WHERE relnamespace = '${QUEUE_SCHEMA}'::regnamespace AND relkind IN ('r', 'S') AND pg_has_role(relowner, 'USAGE')
      LOOP
        IF object.relkind = 'S' THEN
          EXECUTE format('GRANT USAGE, SELECT ON SEQUENCE %s TO countersign_app', object.name);
        ELSE
          EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO countersign_app', object.name);
        END IF;
      END LOOP;
      FOR object IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = '${QUEUE_SCHEMA}'::regnamespace AND pg_has_role(proowner, 'USAGE')
      LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_app', object.name);
      END LOOP;
    END $$;`);
}
