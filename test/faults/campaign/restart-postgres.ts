import type { TestDatabase } from '../../support/database.js';

/**
 * Ends Postgres, `fast` as an operator stops it or `immediate` as it crashes, and waits until whoever started it has it
 * up again. Every database of it is away meanwhile.
 */
export async function restartPostgres(database: TestDatabase, how: 'fast' | 'immediate'): Promise<void> {
  const before = await postmaster(database);
  process.kill(before, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  for (let now = before; now === before; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    now = await postmaster(database).catch(() => before);
  }
}

async function postmaster(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ pid: number }>(
    `SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid`,
  );
  if (row === undefined) throw new Error('Postgres does not say which process it is');
  return row.pid;
}
