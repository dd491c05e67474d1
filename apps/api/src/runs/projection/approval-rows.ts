import {
  findCall,
  moneyOf,
  type Run,
  type RunEvent,
  type StoredEvent,
  type ToolDefinition,
} from '@countersign/agent-core';
import { jsonColumn, plainText } from './plain-text.js';
import { subjectId } from './subject-id.js';

/** Instants in milliseconds. */
export interface ApprovalRow {
  readonly id: string;
  readonly agentName: string;
  readonly agentVersion: number;
  readonly toolCallId: string;
  readonly tool: string;
  readonly toolVersion: number;
  readonly arguments: string;
  readonly argumentsDigest: string;
  readonly effect: string | null;
  readonly money: string | null;
  readonly reason: string;
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly subject: string | null;
  readonly subjectId: string | null;
  readonly status: string;
  readonly requiredApprovals: number;
  readonly approverRoles: readonly string[];
  /** JSON text of an actor. */
  readonly startedBy: string;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

/** `arguments` is there where a reviewer changed them; `money` is theirs then. `closedAt` null: pending. */
export interface ApprovalChange {
  readonly id: string;
  readonly status: string;
  readonly closedAt: number | null;
  readonly arguments?: string;
  readonly argumentsDigest?: string;
  readonly money?: string | null;
}

export interface DecisionRow {
  readonly approvalId: string;
  readonly seq: number;
  readonly byType: string;
  readonly byId: string;
  readonly decision: string;
  readonly message: string | null;
  readonly editedArguments: string | null;
  readonly at: number;
}

/** Decisions of this approval with a number below `before` no longer count. */
export interface VoidedDecisions {
  readonly approvalId: string;
  readonly before: number;
  readonly at: number;
}

export interface ApprovalRows {
  readonly requested: ApprovalRow[];
  readonly changed: ApprovalChange[];
  readonly decisions: DecisionRow[];
  readonly voided: VoidedDecisions[];
}

type Tools = ReadonlyMap<string, ToolDefinition>;
type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** What a step does to approvals. Written in order: requests, then changes, so both may concern one approval. Null: nothing. */
export function approvalRows(after: Run, events: readonly StoredEvent[], tools: Tools): ApprovalRows | null {
  if (!events.some(({ event }) => event.type.startsWith('approval.'))) return null;
  const rows: ApprovalRows = { requested: [], changed: [], decisions: [], voided: [] };
  const changes = new Map<string, ApprovalChange>();
  const change = (next: ApprovalChange): void => {
    changes.set(next.id, { ...changes.get(next.id), ...next });
  };
  for (const { event, seq, at } of events) {
    switch (event.type) {
      case 'approval.requested':
        rows.requested.push(requestRow(after, event, tools));
        break;
      case 'approval.decided':
        rows.decisions.push(decisionRow(event, seq, at));
        if (event.edited !== null) rows.voided.push({ approvalId: event.approvalId, before: seq, at });
        change(decidedChange(after, event, at, tools));
        break;
      case 'approval.reopened':
        rows.voided.push({ approvalId: event.approvalId, before: seq, at });
        change(reopenedChange(after, event, tools));
        break;
      case 'approval.expired':
        change({ id: event.approvalId, status: 'expired', closedAt: at });
        break;
      case 'approval.cancelled':
        change({ id: event.approvalId, status: 'cancelled', closedAt: at });
        break;
      default:
    }
  }
  rows.changed.push(...changes.values());
  return rows;
}

function requestRow(run: Run, event: EventOf<'approval.requested'>, tools: Tools): ApprovalRow {
  const tool = findCall(run, event.toolCallId)?.tool ?? '';
  return {
    id: event.approvalId,
    agentName: run.agent.name,
    agentVersion: run.agent.version,
    toolCallId: event.toolCallId,
    tool: plainText(tool),
    toolVersion: run.toolVersions[tool] ?? 0,
    arguments: jsonColumn(event.arguments),
    argumentsDigest: event.argumentsDigest,
    effect: tools.get(tool)?.effect ?? null,
    money: moneyColumn(tools.get(tool), event.arguments),
    reason: plainText(event.reason),
    policyRule: event.policyRule,
    policyVersion: event.policyVersion,
    subject: run.subject === null ? null : jsonColumn(run.subject),
    subjectId: subjectId(run.subject),
    status: 'pending',
    requiredApprovals: event.requiredApprovals,
    approverRoles: event.approverRoles,
    startedBy: JSON.stringify(run.startedBy),
    requestedAt: event.requestedAt,
    expiresAt: event.expiresAt,
  };
}

/** An edit that is undone takes its arguments with it. */
function reopenedChange(run: Run, event: EventOf<'approval.reopened'>, tools: Tools): ApprovalChange {
  const change = { id: event.approvalId, status: 'pending', closedAt: null };
  const call = findCall(run, event.toolCallId);
  if (call?.state.status !== 'awaiting_approval') return change;
  const { arguments: text, argumentsDigest } = call.state;
  const money = moneyColumn(tools.get(call.tool), text);
  return { ...change, arguments: jsonColumn(text), argumentsDigest, money };
}

function decidedChange(
  run: Run,
  event: EventOf<'approval.decided'>,
  at: number,
  tools: Tools,
): ApprovalChange {
  const { approvalId: id, edited } = event;
  const call = findCall(run, event.toolCallId);
  const asked = call?.state.status === 'awaiting_approval' && call.state.approval.approvalId === id;
  const status = event.decision === 'reject' ? 'rejected' : asked ? 'pending' : 'approved';
  const closedAt = status === 'pending' ? null : at;
  if (edited === null) return { id, status, closedAt };
  return {
    id,
    status,
    closedAt,
    arguments: jsonColumn(edited.arguments),
    argumentsDigest: edited.argumentsDigest,
    money: moneyColumn(call === null ? undefined : tools.get(call.tool), edited.arguments),
  };
}

function decisionRow(event: EventOf<'approval.decided'>, seq: number, at: number): DecisionRow {
  return {
    approvalId: event.approvalId,
    seq,
    byType: event.by.type,
    byId: event.by.id,
    decision: event.decision,
    message: event.message === null ? null : JSON.stringify(event.message),
    editedArguments: event.edited === null ? null : jsonColumn(event.edited.arguments),
    at,
  };
}

function moneyColumn(
  definition: ToolDefinition | undefined,
  args: EventOf<'approval.requested'>['arguments'],
): string | null {
  const money = definition === undefined ? null : moneyOf(definition, args);
  return money === null ? null : JSON.stringify(money);
}
