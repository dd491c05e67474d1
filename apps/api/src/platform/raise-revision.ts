import type { TransactionClient } from './transaction.js';

/**
 * From the next commit on, no step that was decided by the tenant's rules of before is taken. Makes the changes of one
 * tenant wait for one another.
 */
export async function raiseRevision(tx: TransactionClient, tenant: string): Promise<void> {
  await tx.tenant.updateMany({ where: { id: tenant }, data: { revision: { increment: 1 } } });
}
