import type { RunListQuery } from '@countersign/contracts';
import {
  type Message as MessageRow,
  Prisma,
  type PrismaClient,
  type Run as RunRow,
  type ToolCall as ToolCallRow,
} from '../platform/generated/client.js';
import type { PageRequest } from '../platform/page.js';
import { inOurWords, tenantRead } from '../platform/transaction.js';
import type { EventRow } from './event-view.js';

export type { MessageRow, RunRow, ToolCallRow };

/** The columns of a run under the names of its row: schema.prisma maps each in the same way. */
const RUN_COLUMNS = Prisma.raw(
  Object.keys(Prisma.RunScalarFieldEnum)
    .map((field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
    .join(', '),
);

export type RunFilter = Omit<RunListQuery, 'limit' | 'after'>;

/** Reads of runs and what belongs to them. Everything is written by the ledger. */
export class RunRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** One round trip, since it is asked for by everybody who waits. */
  async find(tenant: string, runId: string): Promise<RunRow | null> {
    const query = this.prisma.$queryRaw<readonly RunRow[]>`
      SELECT ${RUN_COLUMNS} FROM find_run(${tenant}, ${runId})`;
    const [run] = await inOurWords(query);
    return run ?? null;
  }

  /** Runs that fit the filter, newest first: ids are sortable by time. */
  list(tenant: string, filter: RunFilter, { after, rows }: PageRequest): Promise<readonly RunRow[]> {
    const { status, agent, subject, operationId, threadId, from, to, q } = filter;
    const query = this.prisma.run.findMany({
      where: {
        tenantId: tenant,
        ...(after === null ? {} : { id: { lt: after } }),
        ...(status === undefined ? {} : { status }),
        ...(agent === undefined ? {} : { agentName: agent }),
        ...(subject === undefined ? {} : { subjectId: subject }),
        ...(operationId === undefined ? {} : { operationId }),
        ...(threadId === undefined ? {} : { threadId }),
        ...(from === undefined && to === undefined ? {} : { createdAt: between(from, to) }),
        ...(q === undefined ? {} : { OR: searched(q) }),
      },
      orderBy: { id: 'desc' },
      take: rows,
    });
    return tenantRead(this.prisma, tenant, query);
  }

  /** Events with a number above `after`, oldest first. */
  eventsAfter(tenant: string, runId: string, after: number, limit: number): Promise<readonly EventRow[]> {
    const query = this.prisma.runEvent.findMany({
      where: { tenantId: tenant, runId, seq: { gt: after } },
      orderBy: { seq: 'asc' },
      take: limit,
    });
    return tenantRead(this.prisma, tenant, query);
  }

  /** Messages in the order of the conversation, behind the place `turn:position`. */
  messages(tenant: string, runId: string, { after, rows }: PageRequest): Promise<readonly MessageRow[]> {
    const query = this.prisma.message.findMany({
      where: { tenantId: tenant, runId, ...behind(after, 'position') },
      orderBy: [{ turn: 'asc' }, { position: 'asc' }],
      take: rows,
    });
    return tenantRead(this.prisma, tenant, query);
  }

  /** Tool calls in the order in which they were proposed, behind the place `turn:index`. */
  toolCalls(tenant: string, runId: string, { after, rows }: PageRequest): Promise<readonly ToolCallRow[]> {
    const query = this.prisma.toolCall.findMany({
      where: { tenantId: tenant, runId, ...behind(after, 'index') },
      orderBy: [{ turn: 'asc' }, { index: 'asc' }],
      take: rows,
    });
    return tenantRead(this.prisma, tenant, query);
  }

  findToolCall(tenant: string, runId: string, id: string): Promise<ToolCallRow | null> {
    const key = { tenantId_runId_id: { tenantId: tenant, runId, id } };
    return tenantRead(this.prisma, tenant, this.prisma.toolCall.findUnique({ where: key }));
  }
}

function between(from: string | undefined, to: string | undefined): Prisma.DateTimeFilter {
  return {
    ...(from === undefined ? {} : { gte: new Date(from) }),
    ...(to === undefined ? {} : { lt: new Date(to) }),
  };
}

/** What `q` is looked for in: names exactly, and the answer, whose column holds the JSON text of a string. */
function searched(q: string): Prisma.RunWhereInput[] {
  const written = JSON.stringify(q).slice(1, -1);
  return [
    { id: q },
    { operationId: q },
    { subjectId: q },
    { output: { contains: written, mode: Prisma.QueryMode.insensitive } },
  ];
}

/** Rows behind a place in (turn, within) order; every row where there is no place. */
function behind(after: string | null, within: 'position' | 'index'): object {
  if (after === null) return {};
  const [turn, place] = after.split(':').map(Number);
  return { OR: [{ turn: { gt: turn } }, { turn, [within]: { gt: place } }] };
}
