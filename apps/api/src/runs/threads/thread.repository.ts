import type { JsonText } from '@countersign/agent-core';
import type { PrismaClient, Thread as ThreadRow } from '../../platform/generated/client.js';
import { tenantRead, tenantTx } from '../../platform/transaction.js';

/** A conversation of one subject over several runs. */
export interface Thread {
  readonly id: string;
  /** Canonical JSON text. */
  readonly subject: JsonText;
  /** How many runs it has had. */
  readonly runs: number;
  readonly createdAt: Date;
}

/** Threads as they are posted and read; their runs take their places in start_run. */
export class ThreadRepository {
  constructor(private readonly prisma: PrismaClient) {}

  async create(tenant: string, id: string, subject: JsonText): Promise<Thread> {
    const data = { tenantId: tenant, id, subject };
    return threadOf(await tenantTx(this.prisma, tenant, (tx) => tx.thread.create({ data })));
  }

  async find(tenant: string, id: string): Promise<Thread | null> {
    const where = { tenantId_id: { tenantId: tenant, id } };
    const row = await tenantRead(this.prisma, tenant, this.prisma.thread.findUnique({ where }));
    return row === null ? null : threadOf(row);
  }
}

function threadOf({ id, subject, runs, createdAt }: ThreadRow): Thread {
  return { id, subject: subject as JsonText, runs, createdAt };
}
