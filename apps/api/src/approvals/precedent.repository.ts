import { Prisma } from '../platform/generated/client.js';
import type { Transact, TransactionClient } from '../platform/transaction.js';
import { type ApprovalRow, type FoundApproval, withDecisions } from './approval.repository.js';

/** What became of approvals like one, and the latest of them. */
export interface Precedents {
  /** As the model proposed it. */
  readonly approved: number;
  readonly edited: number;
  readonly rejected: number;
  readonly expired: number;
  /** Latest first. */
  readonly recent: readonly FoundApproval[];
}

type Counts = Omit<Precedents, 'recent'>;

const DAYS = 90;
const RECENT = 10;

/** Reads how people decided before. */
export class PrecedentRepository {
  constructor(private readonly transact: Transact) {}

  /**
   * Approvals of the same tool that the same rule asked for, closed within the 90 days before `approval` was (`now`, in
   * milliseconds, while it is pending). A rule of an agent is that agent's alone. What was cancelled tells nothing of
   * what people thought, and an approval that can still be undone not yet.
   */
  of(tenant: string, approval: ApprovalRow, now: number): Promise<Precedents> {
    const until = approval.closedAt ?? new Date(now);
    const since = new Date(until.getTime() - DAYS * 86_400_000);
    return this.transact(tenant, async (tx) => {
      const alike = Prisma.sql`a.tenant_id = ${tenant} AND a.tool = ${approval.tool}
        AND a.policy_rule = ${approval.policyRule} AND a.closed_at BETWEEN ${since} AND ${until} AND a.id <> ${approval.id}
        AND a.status IN ('approved', 'rejected', 'expired')
        AND NOT (a.status = 'approved' AND EXISTS (
          SELECT FROM tool_calls AS c WHERE c.tenant_id = a.tenant_id AND c.run_id = a.run_id AND c.id = a.tool_call_id
            AND c.status = 'approved'))
        AND (${!approval.policyRule.startsWith('agent:')} OR a.agent_name = ${approval.agentName})`;
      const counts = await countAlike(tx, alike);
      const latest = await tx.$queryRaw<readonly { id: string }[]>`
        SELECT a.id FROM approvals AS a WHERE ${alike} ORDER BY a.closed_at DESC, a.id DESC LIMIT ${RECENT}`;
      const ids = latest.map(({ id }) => id);
      const rows = await tx.approval.findMany({ where: { tenantId: tenant, id: { in: ids } } });
      const ordered = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
      return { ...counts, recent: await withDecisions(tx, tenant, ordered) };
    });
  }
}

async function countAlike(tx: TransactionClient, alike: Prisma.Sql): Promise<Counts> {
  const [counts] = await tx.$queryRaw<Counts[]>`
    SELECT count(*) FILTER (WHERE status = 'approved' AND NOT edited)::int AS approved,
      count(*) FILTER (WHERE status = 'approved' AND edited)::int AS edited,
      count(*) FILTER (WHERE status = 'rejected')::int AS rejected,
      count(*) FILTER (WHERE status = 'expired')::int AS expired
    FROM (
      SELECT a.status, EXISTS (
        SELECT FROM approval_decisions AS d WHERE d.tenant_id = a.tenant_id AND d.approval_id = a.id
          AND d.edited_arguments IS NOT NULL AND d.voided_at IS NULL) AS edited
      FROM approvals AS a WHERE ${alike}
    ) AS closed`;
  return counts ?? { approved: 0, edited: 0, rejected: 0, expired: 0 };
}
