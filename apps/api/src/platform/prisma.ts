import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

/** The connections of a process to Postgres, as the application's role. */
export type Database = PrismaClient;

export interface DatabaseOptions {
  /** URL of the application's role. */
  readonly url: string;
  /** Connections that this process keeps at most. */
  readonly connections: number;
  /** A statement that takes longer is cancelled by Postgres. Milliseconds; default 30 s. */
  readonly statementTimeoutMs?: number;
}

/** How long a statement may wait for a connection. */
const CONNECT_MS = 10_000;

/** Opens the pool; the first statement connects. Ends with `$disconnect()`. */
export function openPrisma({ url, connections, statementTimeoutMs = 30_000 }: DatabaseOptions): PrismaClient {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: connections,
      statement_timeout: statementTimeoutMs,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: 'countersign',
    },
    {
      // A connection that breaks while idle is replaced when it is needed; without a listener it ends the process.
      onPoolError: () => undefined,
      onConnectionError: () => undefined,
      statementNameGenerator: ({ sql }) => statementName(sql),
    },
  );
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: CONNECT_MS, timeout: statementTimeoutMs },
  });
}

/**
 * Calls of our SQL functions are prepared once a connection: parsing them each time costs a tenth of a step. Everything
 * else stays unnamed, so that a connection does not collect statements.
 */
function statementName(sql: string): string {
  if (!sql.startsWith('SELECT ') || !sql.endsWith(' AS result')) return '';
  return `countersign_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
}

/** The role of DATABASE_URL must not be used: one line for people. */
export class UnsafeRoleError extends Error {}

/**
 * Refuses to work as a role that row-level security does not hold for (invariant I8), or that lacks our grants.
 * @throws UnsafeRoleError
 */
export async function assertApplicationRole(prisma: PrismaClient): Promise<void> {
  const [role] = await prisma.$queryRaw<{ name: string; unsafe: string | null; granted: boolean }[]>`
    SELECT current_user::text AS name,
      CASE WHEN bool_or(r.rolsuper) THEN 'a superuser' WHEN bool_or(r.rolbypassrls) THEN 'BYPASSRLS'
        WHEN EXISTS (SELECT FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                     AND pg_has_role(c.relowner, 'MEMBER')) THEN 'the owner of tables' END AS unsafe,
      EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app' AND pg_has_role(oid, 'USAGE')) AS granted
    FROM pg_roles AS r WHERE pg_has_role(r.oid, 'MEMBER')`;
  if (role?.unsafe) {
    throw new UnsafeRoleError(
      `DATABASE_URL: its role ${role.name} is ${role.unsafe}, takes one that row-level security holds for`,
    );
  }
  if (!role?.granted) {
    throw new UnsafeRoleError(
      `DATABASE_URL: its role ${role?.name ?? ''} lacks the grants, takes a member of countersign_app`,
    );
  }
}

/** The time by Postgres's clock, in milliseconds since the epoch (invariant I2). */
export async function readDatabaseTime(prisma: PrismaClient): Promise<number> {
  const [row] = await prisma.$queryRaw<{ now: bigint }[]>`SELECT milliseconds(clock_timestamp()) AS now`;
  return Number(row?.now);
}
