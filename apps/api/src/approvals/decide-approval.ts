import {
  type BoundArguments,
  findCall,
  type Run,
  type RunEvent,
  refusalOf,
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
 *   own_request, edit_refused, invalid_content.
 */
export async function decideApproval(
  dependencies: DecideApprovalDependencies,
  scope: TenantScope,
  approvalId: string,
  input: DecideApproval,
): Promise<void> {
  if (input.editedArguments !== undefined && input.decision === 'reject') {
    throw invalidContent({ path: '/editedArguments', message: 'belongs to an approval' });
  }
  const { tenant, actor } = scope;
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
      if (now >= state.approval.expiresAt) throw expired();
      refuseWrongPerson(run, state, scope);
      refuseOtherArguments(state, input);
      const edited = await boundEdit(dependencies, run, call, state, input, scope);
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

function refuseWrongPerson(run: Run, { approval }: PendingState, { actor, role }: TenantScope): void {
  switch (refusalOf(run, approval, actor, role)) {
    case 'own_request':
      throw new Problem('own_request', 'You started this run: somebody else has to decide.');
    case 'not_an_approver':
      throw new Problem('not_an_approver', whoMaySign(approval));
    case 'already_decided': {
      const own = approval.decisions.find(({ by }) => by.id === actor.id);
      throw new Problem(
        'already_decided',
        'You have decided already: this takes another person beside you.',
        {
          members: { decision: own === undefined ? null : { ...own, at: new Date(own.at) } },
        },
      );
    }
    default:
  }
}

function whoMaySign({ requiredApprovals, approverRoles }: PendingState['approval']): string {
  const people = requiredApprovals === 1 ? 'a member of the tenant' : 'two members of the tenant';
  const roles = approverRoles.length === 0 ? '' : `, with the role ${approverRoles.join(' and ')}`;
  return `This takes ${people}${roles}.`;
}

function refuseOtherArguments({ approval }: PendingState, input: DecideApproval): void {
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
  editor: TenantScope,
): Promise<BoundArguments | null> {
  if (editedArguments === undefined) return null;
  const edit = await judgeEdit(dependencies, run, call, state, editedArguments, editor);
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
  return new Problem('already_decided', 'It was decided before.', {
    members: { decision: decision === undefined ? null : decisionView(decision) },
  });
}

export function expired(): Problem {
  return new Problem('approval_expired', 'Nobody decided in time.');
}
