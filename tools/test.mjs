#!/usr/bin/env node
// `npm test`: a fresh Postgres and queue of its own, then Jest with the arguments given. What Jest's processes find:
//
//   TEST_DATABASE_OWNER_URL      the owner, in the database "postgres": may CREATE DATABASE ... TEMPLATE, not a superuser
//   TEST_DATABASE_APP_URL        the application's role, same place: put another database's name at its end
//   TEST_DATABASE_SUPERUSER_URL  for tests of what must be refused
//   TEST_DATABASE_TEMPLATE       a migrated database with the queue's schema, without content: clone it, nobody can connect to it
//   REDIS_URL                    only where redis-server or valkey-server is on the PATH; else the queue is the schema bullmq
//   COUNTERSIGN_ADMIN_KEY, COUNTERSIGN_SECRET  of this test run
//
// DATABASE_URL and DATABASE_MIGRATION_URL are not set: a test makes its own database and names it.
import { ensureInstalled } from './launcher/install.mjs';
import { run } from './launcher/say.mjs';

run(async () => {
  await ensureInstalled();
  const { runTests } = await import('./launcher/run-tests.mjs');
  return runTests(process.argv.slice(2));
});
