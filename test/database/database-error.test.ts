import { openDatabase, readRows } from '../../apps/api/src/platform/database.js';
import type { DatabaseError } from '../../apps/api/src/platform/database-error.js';
import { openPrisma } from '../../apps/api/src/platform/prisma.js';
import { tenantRead, tenantTx } from '../../apps/api/src/platform/transaction.js';
import { openWorld, type World } from './support.js';

let world: World;
beforeAll(async () => {
  world = await openWorld(2);
});
afterAll(() => world.close());

const kindOf = (failing: Promise<unknown>) =>
  failing.then(
    () => 'none',
    (error: DatabaseError) => error.kind,
  );

it.each<[string, DatabaseError['kind']]>([
  ['23505', 'duplicate'],
  ['40P01', 'busy'],
  ['57014', 'busy'],
  ['53300', 'busy'],
  ['08006', 'unreachable'],
  ['57P01', 'unreachable'],
  ['23514', 'refused'],
  ['22003', 'refused'],
  ['54000', 'refused'],
  ['42883', 'failed'],
  ['42501', 'failed'],
])('what Postgres says as %s is %s', async (code, kind) => {
  const raising = readRows(world.connections, `DO $$ BEGIN RAISE SQLSTATE '${code}'; END $$`);
  expect(await kindOf(raising)).toBe(kind);
});

it('a statement that cannot be read is failed, and the connection goes on', async () => {
  expect(await kindOf(readRows(world.connections, 'SELEKT 1'))).toBe('failed');
  expect(await readRows(world.connections, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('a connection that is ended under its statement is unreachable, and the next one is another', async () => {
  const ended = readRows(world.connections, 'SELECT pg_terminate_backend(pg_backend_pid())');
  expect(await kindOf(ended)).toBe('unreachable');
  expect(await readRows(world.connections, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('nobody listening is unreachable', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', pooled: 1 });
  expect(await kindOf(readRows(nowhere, 'SELECT 1'))).toBe('unreachable');
  await nowhere.end();
});

it.each<[string, string, string, DatabaseError['kind']]>([
  ['takes no connection', 'ALLOW_CONNECTIONS false', 'ALLOW_CONNECTIONS true', 'unreachable'],
  ['has no connection left', 'CONNECTION LIMIT 0', 'CONNECTION LIMIT -1', 'busy'],
])('a database that %s has not refused a statement', async (_what, away, back, kind) => {
  const { database } = world;
  const cold = openDatabase({ url: database.appUrl, pooled: 1 });
  const prisma = openPrisma(cold);
  await database.elsewhere(`ALTER DATABASE ${database.name} WITH ${away}`);
  try {
    expect(await kindOf(readRows(cold, 'SELECT 1'))).toBe(kind);
    expect(await kindOf(tenantRead(prisma, 'ten_1', prisma.run.findMany()))).toBe(kind);
    expect(await kindOf(tenantTx(prisma, 'ten_1', (tx) => tx.run.findMany()))).toBe(kind);
  } finally {
    await database.elsewhere(`ALTER DATABASE ${database.name} WITH ${back}`);
    await cold.end();
  }
});
