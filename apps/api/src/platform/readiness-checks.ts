import type { PrismaClient } from './generated/client.js';
import { NotReady, type ReadinessCheck } from './health.js';
import type { Wake } from './wake.js';

/** What every process of the product needs: the database with its migrations, and the queue. */
export function platformChecks(prisma: PrismaClient, wake: Pick<Wake, 'ping'>): readonly ReadinessCheck[] {
  return [
    { name: 'database', probe: async () => void (await prisma.$queryRaw`SELECT 1`) },
    { name: 'migrations', probe: () => probeMigrations(prisma) },
    { name: 'queue', probe: () => wake.ping() },
  ];
}

/** The application's role may not read the table of migrations: it looks for what the last one makes. */
const NEWEST_FUNCTION = 'public.forget_idempotency_keys(integer)';

async function probeMigrations(prisma: PrismaClient): Promise<void> {
  const [row] = await prisma.$queryRaw<readonly { applied: boolean }[]>`
    SELECT to_regprocedure(${NEWEST_FUNCTION}) IS NOT NULL AS applied`;
  if (row?.applied !== true) throw new NotReady('not applied: run "npm run db:migrate"');
}
