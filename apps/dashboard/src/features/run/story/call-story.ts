import type { ApprovalDraft, CallDraft, Decision } from './call-draft';
import type { Bound, CallHappening, Checks } from './happening';
import { type Stretch, type StretchHead, stretchEnd } from './stretch';

type Proposal = Pick<CallDraft, 'id' | 'turn' | 'index' | 'tool' | 'callId' | 'proposed' | 'proposedAt'>;

const NOT_REACHED: Checks = {
  registered: 'not_reached',
  arguments: 'not_reached',
  scope: 'not_reached',
  policy: 'not_reached',
  credential: 'not_reached',
};

/** A call as the model proposed it. */
export function proposedCall(proposal: Proposal): CallDraft {
  return {
    ...proposal,
    checks: NOT_REACHED,
    status: 'requested',
    bound: null,
    policy: null,
    trouble: null,
    result: null,
    approvals: [],
    settled: null,
    attempts: 0,
    held: false,
    askUntil: null,
    stretches: [],
    movedAt: proposal.proposedAt,
  };
}

/** Moves a call on by one event; what it went through follows from where the event leaves it. */
export function moveCall(call: CallDraft, event: CallHappening, seq: number, at: number): void {
  call.held = event.type === 'tool.held';
  call.movedAt = at;
  move(call, event, at);
  const open = call.stretches.at(-1);
  const now = stretchOf(call, at);
  if (open !== undefined && open.to === null) {
    if (open.kind === now?.kind && event.type !== 'approval.requested') {
      return;
    }
    call.stretches = call.stretches.with(-1, { ...open, to: stretchEnd(open, at), ended: endedBy(event) });
  }
  if (now !== null) {
    call.stretches = [
      ...call.stretches,
      { ...now, id: idOf(call, now.kind, seq), from: at, to: null, ended: null },
    ];
  }
}

function move(call: CallDraft, event: CallHappening, at: number): void {
  switch (event.type) {
    case 'tool.held':
      return;
    case 'tool.permitted': {
      const { checks, policyRule: rule, policyVersion: version } = event.data;
      become(call, { status: 'permitted', checks, bound: boundOf(event.data), policy: { rule, version } });
      return;
    }
    case 'tool.denied': {
      const { code, message, checks, bound, policyRule: rule, policyVersion: version } = event.data;
      become(call, { status: 'denied', checks, policy: { rule, version }, trouble: { code, message } });
      call.bound = bound ?? call.bound;
      return;
    }
    case 'tool.started':
      call.status = 'executing';
      return;
    case 'tool.awaiting_client':
      call.status = 'awaiting_client';
      return;
    case 'tool.succeeded': {
      const { output, text, replayOf, bound, attempts } = event.data;
      const ran = call.status === 'executing' || call.status === 'awaiting_client';
      become(call, { status: 'succeeded', result: { output, text, replayOf }, trouble: null });
      call.bound = bound ?? call.bound;
      call.attempts += attempts;
      call.checks = replayOf === null || ran ? { ...call.checks, credential: 'passed' } : call.checks;
      return;
    }
    case 'tool.failed': {
      const { code, message, attempts } = event.data;
      if (call.status === 'executing') {
        call.checks = { ...call.checks, credential: code === 'unauthorized' ? 'stopped' : 'passed' };
      }
      become(call, { status: 'failed', trouble: { code, message } });
      call.attempts += attempts;
      return;
    }
    case 'tool.unknown': {
      const { message, onUnknown, askUntil, attempts } = event.data;
      become(call, { status: 'unknown', trouble: { code: 'outcome_unknown', message } });
      call.askUntil = onUnknown === 'ask' ? Date.parse(askUntil) : null;
      call.attempts += attempts;
      return;
    }
    case 'tool.settled':
      settle(call, event.data, at);
      return;
    case 'tool.cancelled':
      become(call, { status: 'cancelled', trouble: { code: 'cancelled', message: event.data.message } });
      return;
    default:
      moveApproval(call, event, at);
  }
}

type ApprovalHappening = Extract<CallHappening, { type: `approval.${string}` }>;

function moveApproval(call: CallDraft, event: ApprovalHappening, at: number): void {
  if (event.type === 'approval.requested') {
    const { data } = event;
    const asked: ApprovalDraft = {
      id: data.approvalId,
      reason: data.reason,
      policyRule: data.policyRule,
      policyVersion: data.policyVersion,
      required: data.requiredApprovals,
      requestedAt: Date.parse(data.requestedAt),
      expiresAt: Date.parse(data.expiresAt),
      status: 'pending',
      decisions: [],
      notBefore: at,
      asked: boundOf(data),
    };
    const policy = { rule: data.policyRule, version: data.policyVersion };
    become(call, { status: 'awaiting_approval', checks: data.checks, bound: boundOf(data), policy });
    call.approvals = [...call.approvals, asked];
    return;
  }
  const approval = call.approvals.find(({ id }) => id === event.data.approvalId);
  if (approval === undefined) {
    return;
  }
  switch (event.type) {
    case 'approval.decided':
      decide(call, approval, event.data, at);
      return;
    case 'approval.reopened':
      approval.status = 'pending';
      approval.decisions = [];
      become(call, { status: 'awaiting_approval', bound: approval.asked });
      return;
    case 'approval.expired':
      approval.status = 'expired';
      call.status = 'requested';
      return;
    case 'approval.cancelled':
      approval.status = 'cancelled';
      call.status = 'requested';
  }
}

/** An edit voids the approvals before it and counts as the editor's own; one rejection ends it. */
function decide(
  call: CallDraft,
  approval: ApprovalDraft,
  { by, decision, message, edited, notBefore }: Extract<CallHappening, { type: 'approval.decided' }>['data'],
  at: number,
): void {
  const made: Decision = { by, decision, message, edited, at };
  approval.decisions = edited === null ? [...approval.decisions, made] : [made];
  approval.notBefore = Date.parse(notBefore);
  call.bound = edited ?? call.bound;
  if (decision === 'reject') {
    approval.status = 'rejected';
    call.status = 'denied';
    call.trouble = { code: 'approval_rejected', message: message ?? '' };
  } else if (approval.decisions.length >= approval.required) {
    approval.status = 'approved';
    call.status = 'approved';
  }
}

/** `did_not_happen` may free one more try, with which the next `tool.started` begins. */
function settle(
  call: CallDraft,
  { outcome, by, output, text }: Extract<CallHappening, { type: 'tool.settled' }>['data'],
  at: number,
): void {
  call.settled = { by, outcome, at };
  if (outcome === 'happened') {
    become(call, { status: 'succeeded', result: { output, text, replayOf: null }, trouble: null });
  } else {
    become(call, { status: 'failed', trouble: { code: 'did_not_happen', message: text } });
  }
}

/** The stretch in which an event leaves a call; null: in none. */
function stretchOf(call: CallDraft, at: number): StretchHead | null {
  const approval = call.approvals.at(-1);
  if (call.held) return { kind: 'hold_wait', endsAt: null };
  switch (call.status) {
    case 'executing':
      return { kind: 'tool_call', endsAt: null };
    case 'awaiting_approval':
      return { kind: 'approval_wait', endsAt: approval?.expiresAt ?? null };
    case 'approved':
      return approval !== undefined && approval.notBefore > at
        ? { kind: 'undo_wait', endsAt: approval.notBefore }
        : null;
    case 'awaiting_client':
      return { kind: 'client_wait', endsAt: null };
    case 'unknown':
      return call.askUntil === null ? null : { kind: 'outcome_wait', endsAt: null };
    default:
      return null;
  }
}

/** As the trace names it: after the call or the approval, and a second time with its number. */
function idOf(call: CallDraft, kind: Stretch['kind'], seq: number): string {
  const base =
    kind === 'tool_call'
      ? call.id
      : kind === 'approval_wait'
        ? (call.approvals.at(-1)?.id ?? '')
        : `${kind}_${seq}`;
  const same = call.stretches.filter(({ id }) => id === base || id.startsWith(`${base}/`)).length;
  return same === 0 ? base : `${base}/${same + 1}`;
}

function endedBy(event: CallHappening): string {
  if (event.type === 'approval.decided') return event.data.decision === 'approve' ? 'approved' : 'rejected';
  if (event.type === 'tool.settled') return event.data.outcome;
  return event.type.slice(event.type.indexOf('.') + 1);
}

function become(call: CallDraft, change: Partial<CallDraft>): void {
  Object.assign(call, change);
}

function boundOf({ arguments: value, argumentsDigest }: Bound): Bound {
  return { arguments: value, argumentsDigest };
}
