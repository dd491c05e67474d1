import { callFunction, type Database } from '../platform/database.js';
import type { Prisma, PrismaClient } from '../platform/generated/client.js';
import type { Membership } from '../platform/people.js';
import { inOurWords } from '../platform/transaction.js';

type Method = (parameters: unknown) => Prisma.PrismaPromise<unknown>;
type Delegate = Readonly<Record<string, Method>>;

/**
 * The three tables that better-auth's adapter works on, by the names that it asks for. Each of its statements runs in a
 * transaction that says so: users, accounts and sessions are closed to every other (migration 0006).
 */
export function signInTables(prisma: PrismaClient): object {
  const opened = (delegate: Delegate): object =>
    new Proxy(delegate, {
      get: (methods, name) => (parameters: unknown) => {
        const method = methods[String(name)];
        if (method === undefined) throw new Error(`There is no ${String(name)} on a table`);
        return signingIn(prisma, method.call(methods, parameters));
      },
    });
  const { user, account, session } = prisma as unknown as Readonly<Record<string, Delegate>>;
  return {
    user: opened(user as Delegate),
    account: opened(account as Delegate),
    session: opened(session as Delegate),
  };
}

async function signingIn<Result>(
  prisma: PrismaClient,
  statement: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const open = prisma.$queryRaw`SELECT set_config('app.signing_in', 'on', true)`;
  const [, result] = await inOurWords(prisma.$transaction([open, statement]));
  return result;
}

/** The tenants of a user as of now, by slug: a look-up that crosses tenants. */
export class MembershipRepository {
  constructor(private readonly database: Database) {}

  /** @throws DatabaseError */
  async of(user: string): Promise<readonly Membership[]> {
    const text = await callFunction<string>(this.database, 'memberships_of', { user });
    return JSON.parse(text) as readonly Membership[];
  }
}
