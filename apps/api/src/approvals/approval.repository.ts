import type { ApprovalListQuery } from '@countersign/contracts';
import { namesOf } from '../platform/actor-name.repository.js';
import type {
  Approval as ApprovalRow,
  ApprovalDecision as DecisionRow,
  Prisma,
} from '../platform/generated/client.js';
import type { PageRequest } from '../platform/page.js';
import type { Transact, TransactionClient } from '../platform/transaction.js';

export type { ApprovalRow };

/** A decision with the name of who made it; null where nobody knows it any more. */
export type FoundDecision = DecisionRow & { readonly byName: string | null };

/** An approval with the decisions that count, oldest first: not those that an edit or an undo took back. */
export interface FoundApproval {
  readonly approval: ApprovalRow;
  readonly decisions: readonly FoundDecision[];
}

export type ApprovalFilter = Omit<ApprovalListQuery, 'limit' | 'after'>;

/** How many approvals wait, by tool and by agent, and how many outcomes. */
export interface WaitingCounts {
  readonly approvals: readonly { readonly tool: string; readonly agent: string; readonly pending: number }[];
  readonly outcomes: number;
}

/** Reads of approvals. Everything is written by the ledger. */
export class ApprovalRepository {
  constructor(private readonly transact: Transact) {}

  find(tenant: string, approvalId: string): Promise<FoundApproval | null> {
    return this.transact(tenant, async (tx) => {
      const key = { tenantId_id: { tenantId: tenant, id: approvalId } };
      const approval = await tx.approval.findUnique({ where: key });
      if (approval === null) return null;
      const [found] = await withDecisions(tx, tenant, [approval]);
      return found ?? null;
    });
  }

  /**
   * Approvals that fit the filter. Newest first (ids begin with the time of their call), or what expires first; either
   * way behind the place that `placeOf` gave for the last row of the page before.
   */
  list(
    tenant: string,
    filter: ApprovalFilter,
    { after, rows }: PageRequest,
  ): Promise<readonly FoundApproval[]> {
    const expiring = filter.order === 'expiring';
    return this.transact(tenant, async (tx) => {
      const approvals = await tx.approval.findMany({
        where: {
          tenantId: tenant,
          ...(after === null ? {} : expiring ? behindExpiry(after) : { id: { lt: after } }),
          ...(filter.status === undefined ? {} : ofStatus(filter.status)),
          ...(filter.runId === undefined ? {} : { runId: filter.runId }),
          ...(filter.tool === undefined ? {} : { tool: filter.tool }),
          ...(filter.agent === undefined ? {} : { agentName: filter.agent }),
          ...(filter.subject === undefined ? {} : { subjectId: filter.subject }),
        },
        orderBy: expiring ? [{ expiresAt: 'asc' }, { id: 'asc' }] : { id: 'desc' },
        take: rows,
      });
      return withDecisions(tx, tenant, approvals);
    });
  }

  countWaiting(tenant: string): Promise<WaitingCounts> {
    return this.transact(tenant, async (tx) => {
      const groups = await tx.approval.groupBy({
        by: ['tool', 'agentName'],
        where: { tenantId: tenant, status: 'pending' },
        _count: true,
      });
      const outcomes = await tx.effect.count({ where: { tenantId: tenant, state: 'unknown' } });
      return {
        approvals: groups.map(({ tool, agentName, _count }) => ({ tool, agent: agentName, pending: _count })),
        outcomes,
      };
    });
  }
}

/** Adds to each of the approvals its decisions that count, with the names of those who made them. */
export async function withDecisions(
  tx: TransactionClient,
  tenant: string,
  approvals: readonly ApprovalRow[],
): Promise<readonly FoundApproval[]> {
  const decisions = await tx.approvalDecision.findMany({
    where: { tenantId: tenant, approvalId: { in: approvals.map(({ id }) => id) }, voidedAt: null },
    orderBy: { seq: 'asc' },
  });
  const actorOf = ({ byType, byId }: DecisionRow) => ({ type: byType as 'member' | 'key', id: byId });
  const nameOf = await namesOf(tx, tenant, decisions.map(actorOf));
  return approvals.map((approval) => ({
    approval,
    decisions: decisions
      .filter(({ approvalId }) => approvalId === approval.id)
      .map((decision) => ({ ...decision, byName: nameOf(actorOf(decision)) })),
  }));
}

/** The place of an approval in the order of a list. */
export function placeOf({ id, expiresAt }: ApprovalRow, order: ApprovalFilter['order']): string {
  return order === 'expiring' ? `${expiresAt.getTime()}:${id}` : id;
}

/** Two that expire at once are told apart by their ids, so that no page misses or repeats one. */
function behindExpiry(place: string): Prisma.ApprovalWhereInput {
  const colon = place.indexOf(':');
  const expiresAt = new Date(Number(place.slice(0, colon)));
  return { OR: [{ expiresAt: { gt: expiresAt } }, { expiresAt, id: { gt: place.slice(colon + 1) } }] };
}

function ofStatus(status: NonNullable<ApprovalFilter['status']>): Prisma.ApprovalWhereInput {
  return { status: status === 'closed' ? { not: 'pending' } : status };
}
