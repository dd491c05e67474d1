import type { TransactionClient } from './transaction.js';

/** Who did something: a key of the tenant, or a member. */
export interface NamedActor {
  readonly type: 'member' | 'key';
  readonly id: string;
}

/** The name under which people know an actor; null where nobody knows it any more. */
export type NameOf = (actor: NamedActor) => string | null;

/**
 * Looks up what those who acted are called as of now, within a transaction of their tenant. A key that was deleted
 * and a member who left are still known by their names.
 */
export async function namesOf(
  tx: TransactionClient,
  tenant: string,
  actors: readonly NamedActor[],
): Promise<NameOf> {
  const ids = [...new Set(actors.map(({ id }) => id))];
  if (ids.length === 0) return () => null;
  const [keys, members] = [
    await tx.apiKey.findMany({
      where: { tenantId: tenant, id: { in: ids } },
      select: { id: true, name: true },
    }),
    await tx.member.findMany({
      where: { tenantId: tenant, userId: { in: ids } },
      select: { userId: true, name: true },
    }),
  ];
  const names = new Map([
    ...keys.map(({ id, name }) => [id, name] as const),
    ...members.map(({ userId, name }) => [userId, name] as const),
  ]);
  return ({ id }) => names.get(id) ?? null;
}
