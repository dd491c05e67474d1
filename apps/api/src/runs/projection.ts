import type { JsonText, Run, Step, StoredEvent, ToolDefinition } from '@countersign/agent-core';
import { type ApprovalRows, approvalRows } from './projection/approval-rows.js';
import {
  type EffectOutcome,
  type EffectRow,
  effectOutcomes,
  effectRows,
  type IntentRow,
  intentRows,
} from './projection/effect-rows.js';
import { dataOf, type EventRow, eventRows } from './projection/event-rows.js';
import { inputRows, type MessageRow, messageRows } from './projection/message-rows.js';
import { type ModelCallRow, modelCallRows } from './projection/model-call-rows.js';
import { jsonColumn } from './projection/plain-text.js';
import { type RunColumns, runningMsLeft, runRow } from './projection/run-row.js';
import { subjectId } from './projection/subject-id.js';
import { type ToolCallChange, type ToolCallRow, toolCallRows } from './projection/tool-call-rows.js';

/**
 * Everything that a step writes (invariant I1), as commit_step in prisma/migrations takes it. Absent: no rows of the
 * kind. A text in here is free of NUL and lone surrogates, or JSON text, which escapes them.
 */
export interface StepRows {
  readonly run: RunColumns;
  readonly revision: number | null;
  readonly events?: readonly EventRow[];
  readonly messages?: readonly MessageRow[];
  readonly modelCalls?: readonly ModelCallRow[];
  readonly toolCalls?: readonly ToolCallRow[];
  readonly changedCalls?: readonly ToolCallChange[];
  readonly changedMessages?: readonly MessageRow[];
  readonly approvals?: ApprovalRows;
  readonly effects?: readonly EffectRow[];
  readonly effectOutcomes?: readonly EffectOutcome[];
  readonly intents?: readonly IntentRow[];
}

/**
 * The rows that a step writes. Pure. `tools` are the definitions that the run began with: effect classes and
 * money come from them.
 */
export function project(step: Step, tools: ReadonlyMap<string, ToolDefinition>): StepRows {
  const { events, before, after } = step;
  const calls = toolCallRows(before, after, events, tools);
  const messages = messageRows(before, after, events);
  const approvals = approvalRows(after, events, tools);
  return {
    run: runRow(after),
    revision: step.governanceRevision,
    ...some('events', eventRows(events)),
    ...some('messages', messages.added),
    ...some('modelCalls', modelCallRows(events)),
    ...some('toolCalls', calls.inserted),
    ...some('changedCalls', calls.updated),
    ...some('changedMessages', messages.changed),
    ...(approvals === null ? {} : { approvals }),
    ...some('effects', effectRows(step)),
    ...some('effectOutcomes', effectOutcomes(step)),
    ...some('intents', intentRows(step)),
  };
}

/** What a run begins with, as start_run takes it. */
export interface StartRows {
  readonly agentName: string;
  readonly agentVersion: number;
  readonly threadId: string | null;
  readonly threadPosition: number | null;
  /** JSON text. */
  readonly startedBy: string;
  readonly operationId: string;
  readonly subject: string | null;
  readonly subjectId: string | null;
  readonly metadata: string | null;
  readonly budgetLimitUsd: string | null;
  readonly runningMsLeft: number;
  /** Milliseconds. */
  readonly createdAt: number;
  /** When it is older than it may be, in milliseconds. */
  readonly expiresAt: number;
  /** The JSON text of the first event without its type. */
  readonly created: string;
  readonly messages: readonly MessageRow[];
}

/** The rows of a run that was just created by `event`. Pure. `metadata` is the caller's JSON text. */
export function projectStart(run: Run, { event }: StoredEvent, metadata: JsonText | null): StartRows {
  return {
    agentName: run.agent.name,
    agentVersion: run.agent.version,
    threadId: run.thread?.id ?? null,
    threadPosition: run.thread?.position ?? null,
    startedBy: JSON.stringify(run.startedBy),
    operationId: run.operationId,
    subject: run.subject === null ? null : jsonColumn(run.subject),
    subjectId: subjectId(run.subject),
    metadata: metadata === null ? null : jsonColumn(metadata),
    budgetLimitUsd: run.budgetLimitUsd,
    runningMsLeft: runningMsLeft(run),
    createdAt: run.createdAt,
    expiresAt: run.createdAt + run.limits.maxAgeSeconds * 1000,
    created: dataOf(event),
    messages: inputRows(run),
  };
}

function some<Name extends string, Row>(
  name: Name,
  rows: readonly Row[],
): { [Key in Name]?: readonly Row[] } {
  return rows.length === 0 ? {} : ({ [name]: rows } as { [Key in Name]?: readonly Row[] });
}
