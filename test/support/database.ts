import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { testServices } from './environment';

/** A database of its own, cloned from the migrated template. */
export interface TestDatabase {
  readonly name: string;
  readonly appUrl: string;
  readonly ownerUrl: string;
  /** One statement as the superuser, whom no row security holds back. */
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** One statement as the superuser from another database: for what cannot be done, or seen, from within this one. */
  elsewhere(sql: string): Promise<void>;
  drop(): Promise<void>;
}

/** Clones the template (about 0.1 s). */
export async function cloneDatabase(): Promise<TestDatabase> {
  const services = testServices();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await statement(services.ownerUrl, `CREATE DATABASE ${name} TEMPLATE ${services.templateDatabase}`);
  return openDatabase(name);
}

/** The database of this name, made by `cloneDatabase` in this or another process. */
export function openDatabase(name: string): TestDatabase {
  const services = testServices();
  const pool = openPool(withDatabase(services.superuserUrl, name));
  return {
    name,
    appUrl: withDatabase(services.appUrl, name),
    ownerUrl: withDatabase(services.ownerUrl, name),
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    elsewhere: (sql) => statement(services.superuserUrl, sql),
    drop: async () => {
      await pool.end();
      await statement(services.superuserUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Opened with the first statement, and closed by itself a moment after the last. */
function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 4, idleTimeoutMillis: 1_000, allowExitOnIdle: true });
  // Tests that take Postgres away cut what rests here, too; the next statement opens another.
  pool.on('error', () => undefined);
  return pool;
}

async function statement(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}
