import { findCall, type RunEvent, type ToolCall } from '@countersign/agent-core';
import { notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { amendRun } from '../runs/amend-run.js';
import { type DecideApprovalDependencies, expired } from './decide-approval.js';

/**
 * Takes an approval back, until the effect is intended: it is pending again, until its first expiry.
 * @throws Problem not_found, undo_too_late, approval_expired, approval_cancelled, conflict.
 */
export async function undoDecision(
  dependencies: Omit<DecideApprovalDependencies, 'policy'>,
  { tenant, actor }: TenantScope,
  approvalId: string,
): Promise<void> {
  const found = await dependencies.findApproval(tenant, approvalId);
  if (found === null) throw notFound('approval');
  const { runId, toolCallId } = found.approval;
  await amendRun(dependencies, { tenant, runId }, async (run): Promise<readonly RunEvent[]> => {
    const call = findCall(run, toolCallId);
    if (call === null || !canBeUndone(call, approvalId)) {
      const current = await dependencies.findApproval(tenant, approvalId);
      throw whyNot(current?.approval.status ?? 'pending');
    }
    return [{ type: 'approval.reopened', approvalId, toolCallId, by: actor }];
  });
}

/** Once a try has begun, the grant is used up, even where that try did not happen. */
function canBeUndone({ state, tries }: ToolCall, approvalId: string): boolean {
  if (tries > 0) return false;
  if (state.status === 'approved') return state.approval.approvalId === approvalId;
  return (
    state.status === 'awaiting_approval' &&
    state.approval.approvalId === approvalId &&
    state.approval.decisions.length > 0
  );
}

function whyNot(status: string): Problem {
  switch (status) {
    case 'pending':
      return new Problem('undo_too_late', 'Nobody has decided, so there is nothing to undo.');
    case 'expired':
      return expired();
    case 'cancelled':
      return new Problem('approval_cancelled', 'The call is not asked for any more.');
    default:
      return new Problem('undo_too_late', 'The decision has taken effect already.');
  }
}
