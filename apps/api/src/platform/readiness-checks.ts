import { type Database, readRows } from './database.js';
import { NotReady, type ReadinessCheck } from './health.js';
import type { Wake } from './wake.js';

/** What every process of the product needs: the database with its migrations, and the queue. */
export function platformChecks(database: Database, wake: Pick<Wake, 'ping'>): readonly ReadinessCheck[] {
  return [
    { name: 'database', probe: async () => void (await readRows(database, 'SELECT 1')) },
    { name: 'migrations', probe: () => probeMigrations(database) },
    { name: 'queue', probe: () => wake.ping() },
  ];
}

/** The application's role may not read the table of migrations: it looks for what the last one makes. */
const NEWEST_FUNCTION = 'public.forget_rate_limits(integer)';

async function probeMigrations(database: Database): Promise<void> {
  const text = 'SELECT to_regprocedure($1) IS NOT NULL AS applied';
  const [row] = await readRows<{ applied: boolean }>(database, text, [NEWEST_FUNCTION]);
  if (row?.applied !== true) throw new NotReady('not applied: run "npm run db:migrate"');
}
