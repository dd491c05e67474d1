import { findCall, foldRun } from '@countersign/agent-core';
import type { ApprovalPreview, PreviewApproval } from '@countersign/contracts';
import { notFound } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { type DecideApprovalDependencies, expired, pendingState, whyNotPending } from './decide-approval.js';
import { judgeEdit } from './judge-edit.js';

const MORE_SIGNATURES = 'With these arguments it takes another signature beside yours.';

/**
 * What would become of a pending approval if it were approved with other arguments. Changes nothing.
 * @throws Problem not_found, already_decided, approval_expired, approval_cancelled.
 */
export async function previewEdit(
  dependencies: DecideApprovalDependencies,
  { tenant, role }: Pick<TenantScope, 'tenant' | 'role'>,
  approvalId: string,
  { editedArguments }: PreviewApproval,
): Promise<ApprovalPreview> {
  const found = await dependencies.findApproval(tenant, approvalId);
  if (found === null) throw notFound('approval');
  const { runId, toolCallId } = found.approval;
  const run = foldRun({ id: runId, tenant }, await dependencies.ledger.events(tenant, runId));
  const call = findCall(run, toolCallId);
  const state = call === null ? null : pendingState(call, approvalId);
  if (call === null || state === null) throw await whyNotPending(dependencies, tenant, approvalId);
  if (dependencies.now() >= state.approval.expiresAt) throw expired();
  const edit = await judgeEdit(dependencies, run, call, state, editedArguments, { role });
  if (edit.type === 'refused') {
    return { verdict: 'refused', argumentsDigest: null, message: edit.message, errors: [...edit.errors] };
  }
  const { argumentsDigest } = edit.bound;
  return edit.suffices
    ? { verdict: 'allowed', argumentsDigest, message: null, errors: [] }
    : { verdict: 'needs_approval', argumentsDigest, message: MORE_SIGNATURES, errors: [] };
}
