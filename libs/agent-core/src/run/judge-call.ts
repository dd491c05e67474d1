import { evaluatePolicy } from '../policy/evaluate-policy.js';
import { HANDOVER, type Verdict } from '../policy/policy-rule.js';
import type { Instant } from '../shared/brand.js';
import { normalizeArguments } from '../tools/normalize-arguments.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import type { Approval } from './approval.js';
import { areEnough } from './approvers.js';
import { deniedTooOften } from './calls.js';
import { brokenTool, type ClosedTool, closedTool } from './closed-tool.js';
import type { DecideContext } from './decide-context.js';
import { deny } from './deny.js';
import { judgeIntent, judgeRejections } from './judge-intent.js';
import { judgeRepeat } from './judge-repeat.js';
import { resultText } from './result-text.js';
import type { Run } from './run.js';
import type { RunEvent } from './run-event.js';
import { type BoundArguments, CHECKS_PASSED, type ToolCall } from './tool-call.js';

/**
 * Judges one call: what it may do next, as the events that say so. No events: nothing new is to be said of it. A call
 * is judged when it is proposed, and again each time before it may run (invariant I6).
 */
export function judgeCall(run: Run, call: ToolCall, context: DecideContext): readonly RunEvent[] {
  const { state } = call;
  switch (state.status) {
    case 'requested':
      return heldBack(call, context.now) ? [] : judgeProposal(run, call, context);
    case 'awaiting_approval':
      return judgeWaiting(run, call, state.approval, context);
    case 'permitted':
    case 'approved':
      return heldBack(call, context.now) ? [] : judgeAgain(run, call, state, context);
    default:
      return [];
  }
}

/** True while the call must not be touched: somebody else holds its intent, or its approval may still be undone. */
export function heldBack({ held, state }: ToolCall, now: Instant): boolean {
  return (
    (held !== null && held.until > now) || (state.status === 'approved' && state.approval.notBefore > now)
  );
}

function judgeProposal(run: Run, call: ToolCall, context: DecideContext): readonly RunEvent[] {
  const { agent, tools } = context;
  const definition = agent.tools.includes(call.tool) ? tools.get(call.tool) : undefined;
  if (definition === undefined) {
    return [
      deny(call, context, 'tool_unknown', resultText.unknownTool(call.tool, agent.tools), 'registered', null),
    ];
  }
  const closed = closedTool(run, call.tool, context) ?? brokenTool(call.tool, context);
  if (closed !== null) return [deny(call, context, closed.code, closed.message, 'registered', null)];
  const normalized = normalizeArguments({ definition, subject: run.subject, proposed: call.proposed });
  if (normalized.type === 'arguments') {
    return [
      deny(
        call,
        context,
        'arguments_invalid',
        resultText.invalidArguments(normalized.message),
        'arguments',
        null,
      ),
    ];
  }
  if (normalized.type === 'scope') {
    return [deny(call, context, 'out_of_scope', resultText.outOfScope(normalized.message), 'scope', null)];
  }
  const { bound } = normalized;
  const verdict = verdictOn(run, definition, bound, context);
  if (verdict.type === 'deny') return [denyByPolicy(call, context, verdict, bound)];
  return (
    judgeRejections(run, call, definition, bound, context) ??
    judgeIntent(run, call, definition, [bound], context) ??
    judgeRepeat(run, call, definition, bound) ??
    grant(run, call, bound, handOver(run, verdict), context)
  );
}

function grant(
  run: Run,
  call: ToolCall,
  bound: BoundArguments,
  verdict: Verdict,
  context: DecideContext,
): readonly RunEvent[] {
  const policyVersion = context.governance.policy.version;
  switch (verdict.type) {
    case 'allow':
      return [
        {
          type: 'tool.permitted',
          toolCallId: call.id,
          checks: CHECKS_PASSED,
          policyVersion,
          policyRule: verdict.rule,
          ...bound,
        },
      ];
    case 'require_approval':
      return [requestApproval(run, call, bound, verdict, context)];
    case 'deny':
      return [denyByPolicy(call, context, verdict, bound)];
  }
}

/** After too many denials a person is asked about whatever would be allowed. */
function handOver(run: Run, verdict: Verdict): Verdict {
  if (verdict.type !== 'allow' || !deniedTooOften(run)) return verdict;
  return {
    type: 'require_approval',
    rule: HANDOVER,
    reason: 'Many calls of this run were denied, so a person is asked about each further one.',
    approvals: 1,
    approverRoles: [],
    ttlSeconds: null,
    onExpiry: 'reject',
  };
}

function requestApproval(
  run: Run,
  call: ToolCall,
  bound: BoundArguments,
  verdict: Extract<Verdict, { type: 'require_approval' }>,
  { now, governance }: DecideContext,
): RunEvent {
  const ttlSeconds = verdict.ttlSeconds ?? run.limits.approvalTtlSeconds;
  return {
    type: 'approval.requested',
    toolCallId: call.id,
    checks: CHECKS_PASSED,
    approvalId: approvalIdOf(call),
    ...bound,
    reason: verdict.reason,
    policyRule: verdict.rule,
    policyVersion: governance.policy.version,
    requiredApprovals: verdict.approvals,
    approverRoles: verdict.approverRoles,
    requestedAt: now,
    expiresAt: now + ttlSeconds * 1000,
    onExpiry: verdict.onExpiry,
  };
}

/** Made from the call's id, so that a decision needs no source of ids; each further request of a call gets its own. */
function approvalIdOf(call: ToolCall): string {
  const base = call.id.replace(/^tcl_/, 'apr_');
  return call.approvalRequests === 0 ? base : `${base}_${call.approvalRequests + 1}`;
}

function judgeWaiting(
  run: Run,
  call: ToolCall,
  approval: Approval,
  context: DecideContext,
): readonly RunEvent[] {
  const { approvalId } = approval;
  const closed = closedTool(run, call.tool, context);
  if (closed !== null) return stopCall(call, approval, approval, context, closed);
  if (approval.expiresAt > context.now) return [];
  const events: RunEvent[] = [
    { type: 'approval.expired', approvalId, toolCallId: call.id },
    deny(call, context, 'approval_expired', resultText.expired, 'policy', approval),
  ];
  if (approval.onExpiry === 'fail') {
    const reason = { code: 'approval_expired' as const, message: `Nobody decided on ${call.tool} in time.` };
    events.push({ type: 'run.ending', status: 'failed', reason });
  }
  return events;
}

/** A call that was allowed, or asked about, is denied after all; its grant, where it has one, is given back first. */
export function stopCall(
  call: ToolCall,
  approval: Approval | null,
  bound: BoundArguments,
  context: DecideContext,
  { code, message }: ClosedTool | { readonly code: 'policy_denied'; readonly message: string },
): readonly RunEvent[] {
  const denied = deny(
    call,
    context,
    code,
    message,
    code === 'policy_denied' ? 'policy' : 'registered',
    bound,
  );
  if (approval === null) return [denied];
  const { approvalId } = approval;
  const reason = code === 'tool_withdrawn' ? 'tool_withdrawn' : 'denied';
  return [{ type: 'approval.cancelled', approvalId, toolCallId: call.id, reason }, denied];
}

/** Consent and permission go stale: just before it runs, a call is held against the rules of that moment. */
function judgeAgain(
  run: Run,
  call: ToolCall,
  state: Extract<ToolCall['state'], { status: 'permitted' | 'approved' }>,
  context: DecideContext,
): readonly RunEvent[] {
  const definition = context.tools.get(call.tool);
  if (definition === undefined) return [];
  const bound = { arguments: state.arguments, argumentsDigest: state.argumentsDigest };
  const approval = state.status === 'approved' ? state.approval : null;
  const closed = closedTool(run, call.tool, context) ?? brokenTool(call.tool, context);
  if (closed !== null) return stopCall(call, approval, bound, context, closed);
  const verdict = handOver(run, verdictOn(run, definition, bound, context));
  if (verdict.type === 'deny') {
    const message = resultText.deniedByPolicy(verdict.reason);
    return stopCall(call, approval, bound, context, { code: 'policy_denied', message });
  }
  if (verdict.type === 'require_approval' && !suffices(approval, verdict, context)) {
    const request = requestApproval(run, call, bound, verdict, context);
    if (approval === null) return [request];
    const { approvalId } = approval;
    return [{ type: 'approval.cancelled', approvalId, toolCallId: call.id, reason: 'superseded' }, request];
  }
  return judgeIntent(run, call, definition, [bound, ...proposedBefore(run, call, definition)], context) ?? [];
}

/** What the model had proposed, where a person was asked and may have changed it: that intent is closed, too. */
function proposedBefore(run: Run, call: ToolCall, definition: ToolDefinition): readonly BoundArguments[] {
  if (call.approvalRequests === 0) return [];
  const proposed = normalizeArguments({ definition, subject: run.subject, proposed: call.proposed });
  return proposed.type === 'ok' ? [proposed.bound] : [];
}

function suffices(
  approval: Approval | null,
  verdict: Extract<Verdict, { type: 'require_approval' }>,
  { governance, now }: DecideContext,
): boolean {
  return approval !== null && areEnough(approval.decisions, verdict, governance, now);
}

function verdictOn(
  run: Run,
  definition: ToolDefinition,
  bound: BoundArguments,
  { agent, governance }: DecideContext,
): Verdict {
  return evaluatePolicy({
    tool: { name: definition.name, effect: definition.effect },
    arguments: bound.arguments,
    agentRules: agent.policy,
    tenant: governance.policy,
    defaultTtlSeconds: run.limits.approvalTtlSeconds,
  });
}

function denyByPolicy(
  call: ToolCall,
  context: DecideContext,
  verdict: Extract<Verdict, { type: 'deny' }>,
  bound: BoundArguments,
): RunEvent {
  return deny(
    call,
    context,
    'policy_denied',
    resultText.deniedByPolicy(verdict.reason),
    'policy',
    bound,
    verdict.rule,
  );
}
