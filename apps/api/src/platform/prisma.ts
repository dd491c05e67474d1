import { PrismaPg } from '@prisma/adapter-pg';
import { CONNECT_MS, type Database, STATEMENT_MS } from './database.js';
import { PrismaClient } from './generated/client.js';

/**
 * The API's client for everything that is not a step of a run: definitions, lists, what people set. It uses the
 * connections of the process and ends with them.
 */
export function openPrisma({ pool }: Database): PrismaClient {
  return new PrismaClient({
    // A connection that breaks while it is used fails its statement, which says so.
    adapter: new PrismaPg(pool, { onConnectionError: () => undefined }),
    transactionOptions: { maxWait: CONNECT_MS, timeout: STATEMENT_MS },
  });
}
