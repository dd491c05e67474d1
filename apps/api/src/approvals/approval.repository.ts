import type { ApprovalListQuery } from '@countersign/contracts';
import type {
  Approval as ApprovalRow,
  ApprovalDecision as DecisionRow,
} from '../platform/generated/client.js';
import type { PageRequest } from '../platform/page.js';
import type { Transact } from '../platform/transaction.js';

export type { ApprovalRow, DecisionRow };

/** An approval with the decisions that count, oldest first: not those that an edit or an undo took back. */
export interface FoundApproval {
  readonly approval: ApprovalRow;
  readonly decisions: readonly DecisionRow[];
}

export type ApprovalFilter = Pick<ApprovalListQuery, 'status' | 'runId'>;

/** Reads of approvals. Everything is written by the ledger. */
export class ApprovalRepository {
  constructor(private readonly transact: Transact) {}

  find(tenant: string, approvalId: string): Promise<FoundApproval | null> {
    return this.transact(tenant, async (tx) => {
      const key = { tenantId_id: { tenantId: tenant, id: approvalId } };
      const approval = await tx.approval.findUnique({ where: key });
      if (approval === null) return null;
      const decisions = await tx.approvalDecision.findMany({
        where: { tenantId: tenant, approvalId, voidedAt: null },
        orderBy: { seq: 'asc' },
      });
      return { approval, decisions };
    });
  }

  /** Approvals that fit the filter, newest first: their ids begin with the time of their call. */
  list(
    tenant: string,
    { status, runId }: ApprovalFilter,
    { after, rows }: PageRequest,
  ): Promise<readonly FoundApproval[]> {
    return this.transact(tenant, async (tx) => {
      const approvals = await tx.approval.findMany({
        where: {
          tenantId: tenant,
          ...(after === null ? {} : { id: { lt: after } }),
          ...(status === undefined ? {} : { status }),
          ...(runId === undefined ? {} : { runId }),
        },
        orderBy: { id: 'desc' },
        take: rows,
      });
      const decisions = await tx.approvalDecision.findMany({
        where: { tenantId: tenant, approvalId: { in: approvals.map(({ id }) => id) }, voidedAt: null },
        orderBy: { seq: 'asc' },
      });
      return approvals.map((approval) => ({
        approval,
        decisions: decisions.filter(({ approvalId }) => approvalId === approval.id),
      }));
    });
  }
}
