import { type Database, readRows } from '../platform/database.js';
import {
  type Message as MessageRow,
  type ModelCall as ModelCallRow,
  Prisma,
  type PrismaClient,
  type Run as StoredRun,
  type ToolCall as ToolCallRow,
} from '../platform/generated/client.js';
import type { PageRequest } from '../platform/page.js';
import { tenantRead } from '../platform/transaction.js';
import type { EventRow } from './event-view.js';
import { fits, type RunFilter } from './run-filter.repository.js';

export type { MessageRow, ModelCallRow, ToolCallRow };

/** A run's row: money as text, so that no digit is lost, and without the fence, which is the worker's. */
export type RunRow = Omit<StoredRun, Money | 'fence'> & {
  readonly [Name in Money]: StoredRun[Name] extends Prisma.Decimal ? string : string | null;
};

type Money = 'costUsd' | 'wasteUsd' | 'reservedUsd' | 'chargedUsd' | 'budgetLimitUsd';

/** The columns of a run under the names of its row: schema.prisma maps each in the same way. */
const RUN_COLUMNS = Object.keys(Prisma.RunScalarFieldEnum)
  .filter((field) => field !== 'fence')
  .map((field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
  .join(', ');

/** Reads of runs and what belongs to them. Everything is written by the ledger. */
export class RunRepository {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaClient,
  ) {}

  /** One round trip, since it is asked for by everybody who waits. */
  async find(tenant: string, runId: string): Promise<RunRow | null> {
    const text = `SELECT ${RUN_COLUMNS} FROM find_run($1, $2)`;
    const [run] = await readRows<RunRow>(this.database, text, [tenant, runId], 'find_run');
    return run ?? null;
  }

  /** Runs that fit the filter, newest first: ids are sortable by time. */
  async list(tenant: string, filter: RunFilter, { after, rows }: PageRequest): Promise<readonly RunRow[]> {
    const behind = after === null ? Prisma.empty : Prisma.sql`AND r.id < ${after}`;
    const query = this.prisma.$queryRaw<Omit<StoredRun, 'fence'>[]>`
      SELECT ${Prisma.raw(RUN_COLUMNS)} FROM runs AS r WHERE ${fits(tenant, filter)} ${behind}
      ORDER BY r.id DESC LIMIT ${rows}`;
    return (await tenantRead(this.prisma, tenant, query)).map(runRow);
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

  /** Attempts at models in the order in which they were begun, behind the place that `modelCallPlace` gave. */
  modelCalls(tenant: string, runId: string, { after, rows }: PageRequest): Promise<readonly ModelCallRow[]> {
    const query = this.prisma.modelCall.findMany({
      where: { tenantId: tenant, runId, ...behindModelCall(after) },
      orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
      take: rows,
    });
    return tenantRead(this.prisma, tenant, query);
  }

  findToolCall(tenant: string, runId: string, id: string): Promise<ToolCallRow | null> {
    const key = { tenantId_runId_id: { tenantId: tenant, runId, id } };
    return tenantRead(this.prisma, tenant, this.prisma.toolCall.findUnique({ where: key }));
  }
}

function runRow(run: Omit<StoredRun, 'fence'>): RunRow {
  return {
    ...run,
    costUsd: run.costUsd.toFixed(),
    wasteUsd: run.wasteUsd.toFixed(),
    reservedUsd: run.reservedUsd.toFixed(),
    chargedUsd: run.chargedUsd.toFixed(),
    budgetLimitUsd: run.budgetLimitUsd?.toFixed() ?? null,
  };
}

export function modelCallPlace({ startedAt, id }: ModelCallRow): string {
  return `${startedAt.getTime()}:${id}`;
}

function behindModelCall(after: string | null): Prisma.ModelCallWhereInput {
  if (after === null) return {};
  const colon = after.indexOf(':');
  const startedAt = new Date(Number(after.slice(0, colon)));
  return { OR: [{ startedAt: { gt: startedAt } }, { startedAt, id: { gt: after.slice(colon + 1) } }] };
}

/** Rows behind a place in (turn, within) order; every row where there is no place. */
function behind(after: string | null, within: 'position' | 'index'): object {
  if (after === null) return {};
  const [turn, place] = after.split(':').map(Number);
  return { OR: [{ turn: { gt: turn } }, { turn, [within]: { gt: place } }] };
}
