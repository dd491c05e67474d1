import type { TransactionClient } from './transaction.js';

/** Who did something: a key of the tenant, or a member. */
export interface NamedActor {
  readonly type: 'member' | 'key';
  readonly id: string;
}

/** The name under which people know an actor; null where nobody knows it any more. */
export type NameOf = (actor: NamedActor) => string | null;

/**
 * Looks up what those who acted are called as of now, within a transaction of their tenant. A key that was deleted is
 * still known by its name.
 */
export async function namesOf(
  tx: TransactionClient,
  tenant: string,
  actors: readonly NamedActor[],
): Promise<NameOf> {
  const ids = [...new Set(actors.filter(({ type }) => type === 'key').map(({ id }) => id))];
  if (ids.length === 0) return () => null;
  const keys = await tx.apiKey.findMany({
    where: { tenantId: tenant, id: { in: ids } },
    select: { id: true, name: true },
  });
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return ({ type, id }) => (type === 'key' ? (names.get(id) ?? null) : null);
}
