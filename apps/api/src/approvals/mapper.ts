import type { FactsOutcome } from '@countersign/agent-core';
import type { Approval, ApprovalDecision, Outcome } from '@countersign/contracts';
import { raw } from '../platform/reply.js';
import type { DecisionRow, FoundApproval } from './approval.repository.js';
import type { UnknownOutcome } from './outcome.repository.js';

/** An approval as CONTRACT shows it. `facts` are those of this moment, where the tool was asked. */
export function approvalView(
  { approval: row, decisions }: FoundApproval,
  facts: FactsOutcome | null = null,
): Approval {
  return {
    id: row.id,
    runId: row.runId,
    toolCallId: row.toolCallId,
    tool: row.tool,
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
    decisions: decisions.map(decisionView),
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

export function decisionView(row: DecisionRow): ApprovalDecision {
  return {
    by: { type: row.byType as ApprovalDecision['by']['type'], id: row.byId },
    decision: row.decision as ApprovalDecision['decision'],
    message: row.message === null ? null : (JSON.parse(row.message) as string),
    at: row.at.toISOString(),
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
    startedAt: effect.intendedAt.toISOString(),
  };
}
