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
import { inputRows, type MessageRow, messageRows } from './projection/message-rows.js';
import { type ModelCallRow, modelCallRows } from './projection/model-call-rows.js';
import { jsonColumn } from './projection/plain-text.js';
import { type RunColumns, runningMsLeft, runRow } from './projection/run-row.js';
import { subjectId } from './projection/subject-id.js';
import { type ToolCallChange, type ToolCallRow, toolCallRows } from './projection/tool-call-rows.js';

/** An event as it is stored: `data` is the JSON text of the event without its type. */
export interface EventRow {
  readonly seq: number;
  readonly type: string;
  /** Milliseconds. */
  readonly at: number;
  readonly data: string;
}

/**
 * Everything that a step writes (invariant I1), as commit_step in prisma/migrations takes it. Absent: no rows of the
 * kind. A text in here is free of NUL and lone surrogates, or JSON text, which escapes them.
 */
export interface StepRows {
  readonly run: RunColumns;
  readonly events: readonly EventRow[];
  readonly revision: number | null;
  readonly messages?: readonly MessageRow[];
  readonly modelCalls?: readonly ModelCallRow[];
  readonly toolCalls?: readonly ToolCallRow[];
  readonly toolCallUpdates?: readonly ToolCallChange[];
  readonly approvals?: ApprovalRows;
  readonly effects?: readonly EffectRow[];
  readonly effectOutcomes?: readonly EffectOutcome[];
  readonly intents?: readonly IntentRow[];
  readonly settleCall?: string;
  readonly settleCost?: string;
  readonly reserveAmount?: string;
  /** JSON text of the reservation: what the sweeper needs to know of the call. */
  readonly openModelCall?: string;
}

/**
 * The rows that a step writes. Pure. `tools` are the definitions that the run began with: effect classes and
 * money come from them.
 */
export function project(step: Step, tools: ReadonlyMap<string, ToolDefinition>): StepRows {
  const { events, before, after, settle, reserve } = step;
  const calls = toolCallRows(before, after, events, tools);
  const approvals = approvalRows(after, events, tools);
  return {
    run: runRow(after),
    events: events.map(eventRow),
    revision: step.governanceRevision,
    ...some('messages', messageRows(before, after, events)),
    ...some('modelCalls', modelCallRows(events)),
    ...some('toolCalls', calls.inserted),
    ...some('toolCallUpdates', calls.updated),
    ...(approvals === null ? {} : { approvals }),
    ...some('effects', effectRows(step)),
    ...some('effectOutcomes', effectOutcomes(step)),
    ...some('intents', intentRows(step)),
    ...(settle === null ? {} : { settleCall: settle.modelCallId, settleCost: settle.costUsd }),
    ...(reserve === null ? {} : { reserveAmount: reserve.amountUsd, openModelCall: JSON.stringify(reserve) }),
  };
}

/** The rows that a run begins with, as start_run takes them. */
export interface StartRows {
  readonly run: {
    readonly agentName: string;
    readonly agentVersion: number;
    readonly threadId: string | null;
    readonly operationId: string;
    readonly subject: string | null;
    readonly subjectId: string | null;
    readonly metadata: string | null;
    readonly messages: number;
    readonly budgetLimitUsd: string | null;
    readonly runningMsLeft: number;
    readonly createdAt: number;
  };
  readonly events: readonly EventRow[];
  readonly messages: readonly MessageRow[];
}

/** The rows of a run that was just created by `event`. Pure. `metadata` is the caller's JSON text. */
export function projectStart(run: Run, event: StoredEvent, metadata: JsonText | null): StartRows {
  return {
    run: {
      agentName: run.agent.name,
      agentVersion: run.agent.version,
      threadId: run.threadId,
      operationId: run.operationId,
      subject: run.subject === null ? null : jsonColumn(run.subject),
      subjectId: subjectId(run.subject),
      metadata: metadata === null ? null : jsonColumn(metadata),
      messages: run.input.length,
      budgetLimitUsd: run.budgetLimitUsd,
      runningMsLeft: runningMsLeft(run),
      createdAt: run.createdAt,
    },
    events: [eventRow(event)],
    messages: inputRows(run),
  };
}

function eventRow({ seq, at, event: { type, ...data } }: StoredEvent): EventRow {
  return { seq, type, at, data: JSON.stringify(data) };
}

function some<Name extends string, Row>(
  name: Name,
  rows: readonly Row[],
): { [Key in Name]?: readonly Row[] } {
  return rows.length === 0 ? {} : ({ [name]: rows } as { [Key in Name]?: readonly Row[] });
}
