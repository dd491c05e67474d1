import type { FactsOutcome } from '@countersign/agent-core';
import type { Approval, ApprovalDecision, ApprovalSummary, Outcome } from '@countersign/contracts';
import { raw } from '../platform/reply.js';
import type { FoundApproval, FoundDecision, WaitingCounts } from './approval.repository.js';
import type { UnknownOutcome } from './outcome.repository.js';

/** An approval as CONTRACT shows it. `facts` are those of this moment, where the tool was asked. */
export function approvalView(
  { approval: row, decisions }: FoundApproval,
  facts: FactsOutcome | null = null,
): Approval {
  return {
    id: row.id,
    runId: row.runId,
    agent: { name: row.agentName, version: row.agentVersion },
    toolCallId: row.toolCallId,
    tool: row.tool,
    toolVersion: row.toolVersion,
    arguments: raw(row.arguments),
    argumentsDigest: row.argumentsDigest,
    effect: row.effect as Approval['effect'],
    money: row.money === null ? null : (JSON.parse(row.money) as Approval['money']),
    facts: factsView(facts),
    reason: row.reason,
    policyRule: row.policyRule,
    policyVersion: row.policyVersion,
    subject: raw(row.subject),
    status: row.status as Approval['status'],
    requiredApprovals: row.requiredApprovals,
    approverRoles: row.approverRoles,
    startedBy: JSON.parse(row.startedBy) as Approval['startedBy'],
    decisions: decisions.map(decisionView),
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

export function decisionView(row: FoundDecision): ApprovalDecision {
  return {
    by: { type: row.byType as ApprovalDecision['by']['type'], id: row.byId },
    decision: row.decision as ApprovalDecision['decision'],
    name: row.byName,
    message: row.message === null ? null : (JSON.parse(row.message) as string),
    at: row.at.toISOString(),
  };
}

/** Sums of what waits, the most first. */
export function summaryView({ approvals, outcomes }: WaitingCounts): ApprovalSummary {
  const sumBy = (name: 'tool' | 'agent') => {
    const sums = new Map<string, number>();
    for (const group of approvals) sums.set(group[name], (sums.get(group[name]) ?? 0) + group.pending);
    return [...sums].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  };
  return {
    pending: approvals.reduce((sum, { pending }) => sum + pending, 0),
    outcomes,
    tools: sumBy('tool').map(([tool, pending]) => ({ tool, pending })),
    agents: sumBy('agent').map(([agent, pending]) => ({ agent, pending })),
  };
}

function factsView(facts: FactsOutcome | null): Approval['facts'] {
  if (facts === null || facts.type === 'unavailable') return null;
  return { ok: facts.type === 'ok', facts: raw(facts.facts), message: facts.message };
}

/** An effect in doubt as a person needs it: what was sent, when, and what is known. */
export function outcomeView({ effect, call, run }: UnknownOutcome): Outcome {
  const known = call.error === null ? null : (JSON.parse(call.error) as { readonly message: string });
  return {
    runId: effect.runId,
    toolCallId: effect.toolCallId,
    tool: call.tool,
    arguments: raw(call.arguments),
    argumentsDigest: call.argumentsDigest,
    effect: call.effect as Outcome['effect'],
    idempotencyKey: effect.id,
    status: 'pending',
    detail: known?.message ?? null,
    subject: raw(run.subject),
    tries: effect.tries,
    startedAt: effect.intendedAt.toISOString(),
  };
}
