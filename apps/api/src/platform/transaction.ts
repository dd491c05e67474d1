import { DatabaseError } from './database-error.js';
import { Prisma, type PrismaClient } from './generated/client.js';

/** The client within a transaction that is bound to one tenant. Repositories get nothing wider. */
export type TransactionClient = Prisma.TransactionClient;

/** Runs `work` in a transaction that sees and writes the rows of one tenant alone (invariant I8). */
export type Transact = <Result>(
  tenant: string,
  work: (tx: TransactionClient) => Promise<Result>,
) => Promise<Result>;

/** `tenantTx` with its client filled in: what repositories are made with. */
export function transactWith(prisma: PrismaClient): Transact {
  return (tenant, work) => tenantTx(prisma, tenant, work);
}

/**
 * One transaction bound to a tenant: all of `work` is committed, or nothing is. Rejects with what `work` rejects with.
 * @throws DatabaseError
 */
export function tenantTx<Result>(
  prisma: PrismaClient,
  tenant: string,
  work: (tx: TransactionClient) => Promise<Result>,
): Promise<Result> {
  return inOurWords(
    prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT set_config('app.tenant', ${tenant}, true)`;
      return work(tx);
    }),
  );
}

/**
 * One read bound to a tenant, in one round trip: `tenantRead(prisma, tenant, prisma.run.findMany(...))`.
 * @throws DatabaseError
 */
export async function tenantRead<Result>(
  prisma: PrismaClient,
  tenant: string,
  query: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const bind = prisma.$queryRaw`SELECT set_config('app.tenant', ${tenant}, true)`;
  const [, result] = await inOurWords(prisma.$transaction([bind, query]));
  return result;
}

/** Prisma's errors as ours; every other error as it is. */
export async function inOurWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Prisma.PrismaClientKnownRequestError ||
      error instanceof Prisma.PrismaClientUnknownRequestError ||
      error instanceof Prisma.PrismaClientInitializationError
      ? new DatabaseError(kindOf(error), error)
      : error;
  }
}

const KINDS: Readonly<Record<string, DatabaseError['kind']>> = {
  P2002: 'duplicate',
  P1008: 'busy',
  P2024: 'busy',
  P2028: 'busy',
  P2034: 'busy',
  P2037: 'busy',
  P1001: 'unreachable',
  P1002: 'unreachable',
  P1017: 'unreachable',
};

function kindOf(error: object): DatabaseError['kind'] {
  const kind = 'code' in error && typeof error.code === 'string' ? KINDS[error.code] : undefined;
  return kind ?? (severityOf(error) === 'FATAL' ? 'unreachable' : 'failed');
}

/** Of what Postgres said where Prisma has no code for it. FATAL: it has no connection for us, whatever was to be sent. */
function severityOf(error: object): unknown {
  if (!('meta' in error)) return undefined;
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { severity?: unknown } } } };
  return meta?.driverAdapterError?.cause?.severity;
}
