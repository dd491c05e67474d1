import {
  type BoundArguments,
  findCall,
  type Instant,
  type Run,
  type RunEvent,
  type ToolCall,
} from '@countersign/agent-core';
import type { DecideApproval } from '@countersign/contracts';
import { invalidContent, notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { type AmendDependencies, amendRun } from '../runs/amend-run.js';
import type { FoundApproval } from './approval.repository.js';
import { type JudgeEditDependencies, judgeEdit, type PendingState } from './judge-edit.js';
import { decisionView } from './mapper.js';

export interface DecideApprovalDependencies extends AmendDependencies, JudgeEditDependencies {
  readonly findApproval: (tenant: string, approvalId: string) => Promise<FoundApproval | null>;
}

/**
 * A person's word on a call that waits for it (invariant I6). Of two who decide at once exactly one is heard.
 * @throws Problem not_found, already_decided, approval_expired, approval_cancelled, digest_mismatch, not_an_approver,
 *   edit_refused, invalid_content.
 */
export async function decideApproval(
  dependencies: DecideApprovalDependencies,
  { tenant, actor }: TenantScope,
  approvalId: string,
  input: DecideApproval,
): Promise<void> {
  if (input.editedArguments !== undefined && input.decision === 'reject') {
    throw invalidContent({ path: '/editedArguments', message: 'belongs to an approval' });
  }
  const found = await dependencies.findApproval(tenant, approvalId);
  if (found === null) throw notFound('approval');
  const { approval } = found;
  await amendRun(
    dependencies,
    { tenant, runId: approval.runId },
    async (run, now): Promise<readonly RunEvent[]> => {
      const call = findCall(run, approval.toolCallId);
      const state = call === null ? null : pendingState(call, approvalId);
      if (call === null || state === null) throw await whyNotPending(dependencies, tenant, approvalId);
      admit(state, input, now);
      const edited = await boundEdit(dependencies, run, call, state, input);
      return [
        {
          type: 'approval.decided',
          approvalId,
          toolCallId: call.id,
          by: actor,
          decision: input.decision,
          message: input.message ?? null,
          edited,
          // What cannot be undone need not be held: a rejection counts at once.
          notBefore: input.decision === 'approve' ? now + (input.holdSeconds ?? 0) * 1000 : now,
        },
      ];
    },
  );
}

/** The state of a call that waits for this approval; null where it does not. */
export function pendingState(call: ToolCall, approvalId: string): PendingState | null {
  const { state } = call;
  return state.status === 'awaiting_approval' && state.approval.approvalId === approvalId ? state : null;
}

/** A key may post and decide, but it is nobody: two people, or somebody with a role, must be members. */
function admit({ approval }: PendingState, input: DecideApproval, now: Instant): void {
  if (now >= approval.expiresAt) throw expired();
  if (approval.requiredApprovals > 1 || approval.approverRoles.length > 0) {
    throw new Problem(
      'not_an_approver',
      'This takes members of the tenant: two of them, or one with a role.',
    );
  }
  if (input.argumentsDigest !== approval.argumentsDigest) {
    throw new Problem(
      'digest_mismatch',
      'The arguments are not the ones that were shown. Look at them again.',
      {
        members: { argumentsDigest: approval.argumentsDigest },
      },
    );
  }
}

async function boundEdit(
  dependencies: DecideApprovalDependencies,
  run: Run,
  call: ToolCall,
  state: PendingState,
  { editedArguments }: DecideApproval,
): Promise<BoundArguments | null> {
  if (editedArguments === undefined) return null;
  const edit = await judgeEdit(dependencies, run, call, state, editedArguments);
  if (edit.type === 'refused') {
    throw new Problem('edit_refused', edit.message, edit.errors.length > 0 ? { errors: edit.errors } : {});
  }
  return edit.bound.argumentsDigest === state.argumentsDigest ? null : edit.bound;
}

/** What became of an approval that is not pending any more. Its row is written together with the events. */
export async function whyNotPending(
  { findApproval }: Pick<DecideApprovalDependencies, 'findApproval'>,
  tenant: string,
  approvalId: string,
): Promise<Problem> {
  const found = await findApproval(tenant, approvalId);
  const status = found?.approval.status;
  if (status === 'expired') return expired();
  if (status === 'cancelled') return new Problem('approval_cancelled', 'The call is not asked for any more.');
  const decision = found?.decisions.at(-1);
  return new Problem('already_decided', 'Somebody else decided before.', {
    members: { decision: decision === undefined ? null : decisionView(decision) },
  });
}

export function expired(): Problem {
  return new Problem('approval_expired', 'Nobody decided in time.');
}
