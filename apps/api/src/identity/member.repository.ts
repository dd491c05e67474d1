import { type Member, type Role, role } from '@countersign/contracts';
import type { PageRequest } from '../platform/page.js';
import { raiseRevision } from '../platform/raise-revision.js';
import type { Transact, TransactionClient } from '../platform/transaction.js';
import type { NewUser } from './new-user.js';

type Change = 'unknown' | 'last_admin' | 'changed';

/**
 * The members of tenants. Who leaves keeps the row, so that what they decided can still be told. Each change raises the
 * tenant's revision: a grant that rests on a role is judged again before its call runs (invariant I6). Raising it also
 * makes the changes of one tenant wait for one another, so that no two admins are each other's last.
 */
export class MemberRepository {
  constructor(private readonly transact: Transact) {}

  /** Whether there is such a tenant. */
  hasTenant(tenant: string): Promise<boolean> {
    return this.transact(tenant, async (tx) => (await tx.tenant.count({ where: { id: tenant } })) === 1);
  }

  /** Newest first; the position is when they joined and who they are. */
  list(tenant: string, { after, rows }: PageRequest): Promise<readonly Member[]> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.member.findMany({
        where: { tenantId: tenant, removedAt: null, ...behind(after) },
        orderBy: [{ createdAt: 'desc' }, { userId: 'desc' }],
        take: rows,
      });
      return withEmails(tx, found);
    });
  }

  /** Null where there is no such member. */
  find(tenant: string, id: string): Promise<Member | null> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.member.findFirst({ where: { tenantId: tenant, userId: id, removedAt: null } });
      return found === null ? null : ((await withEmails(tx, [found]))[0] ?? null);
    });
  }

  /**
   * Makes the user of an address a member, and the user where there is none. An account that others made is theirs: its
   * password may be known to whoever made it, so that it becomes a member here only where the platform's operator
   * vouches for the person.
   * @returns whether the user was made; null where they are a member already; `foreign`: others made the account.
   */
  add(
    tenant: string,
    user: NewUser,
    asRole: Role,
    vouched = false,
  ): Promise<{ readonly member: Member; readonly created: boolean } | 'foreign' | null> {
    return this.transact(tenant, async (tx) => {
      const [row] = await tx.$queryRaw<readonly { result: string }[]>`
        SELECT put_user(${JSON.stringify(user)}) AS result`;
      const { id, created } = JSON.parse(row?.result ?? '') as { id: string; created: boolean };
      await raiseRevision(tx, tenant);
      const key = { tenantId: tenant, userId: id };
      const known = await tx.member.findUnique({ where: { tenantId_userId: key } });
      if (known !== null && known.removedAt === null) return null;
      if (known === null && !created && !vouched) return 'foreign';
      const given = { name: user.name, role: asRole, createdAt: new Date(), removedAt: null };
      const member = await tx.member.upsert({
        where: { tenantId_userId: key },
        create: { ...key, ...given },
        update: given,
      });
      return { member: memberOf(member, user.email), created };
    });
  }

  changeRole(tenant: string, id: string, to: Role): Promise<Change> {
    return this.change(tenant, id, to, { role: to });
  }

  remove(tenant: string, id: string): Promise<Change> {
    return this.change(tenant, id, null, { removedAt: new Date() });
  }

  private change(
    tenant: string,
    id: string,
    roleAfter: Role | null,
    data: { readonly role?: Role; readonly removedAt?: Date },
  ): Promise<Change> {
    return this.transact(tenant, async (tx) => {
      await raiseRevision(tx, tenant);
      const members = { tenantId: tenant, removedAt: null };
      const member = await tx.member.findFirst({ where: { ...members, userId: id } });
      if (member === null) return 'unknown';
      if (member.role === 'admin' && roleAfter !== 'admin') {
        const others = await tx.member.count({ where: { ...members, role: 'admin', userId: { not: id } } });
        if (others === 0) return 'last_admin';
      }
      await tx.member.update({ where: { tenantId_userId: { tenantId: tenant, userId: id } }, data });
      return 'changed';
    });
  }
}

/** What `memberPosition` gives. */
export const MEMBER_PLACE = /^[0-9]{13} usr_[0-9a-z]{26}$/;

/** Where a member stands in the list. */
export function memberPosition({ createdAt, id }: Member): string {
  return `${Date.parse(createdAt)} ${id}`;
}

function behind(after: string | null) {
  if (after === null) return {};
  const [joined = '', id = ''] = after.split(' ');
  const createdAt = new Date(Number(joined));
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, userId: { lt: id } }] };
}

interface MemberRow {
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  readonly createdAt: Date;
}

async function withEmails(tx: TransactionClient, rows: readonly MemberRow[]): Promise<readonly Member[]> {
  const users = await tx.user.findMany({
    where: { id: { in: rows.map(({ userId }) => userId) } },
    select: { id: true, email: true },
  });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return rows.map((row) => memberOf(row, emails.get(row.userId) ?? ''));
}

function memberOf(row: MemberRow, email: string): Member {
  return {
    id: row.userId,
    email,
    name: row.name,
    role: role.parse(row.role),
    createdAt: row.createdAt.toISOString(),
  };
}
