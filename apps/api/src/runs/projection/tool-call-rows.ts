import {
  boundIn,
  digestOf,
  findCall,
  isToolCallEvent,
  type JsonText,
  parseJson,
  type Run,
  type RunEvent,
  type StoredEvent,
  sameCall,
  type ToolCall,
  type ToolCallStatus,
  type ToolDefinition,
} from '@countersign/agent-core';
import { jsonColumn, plainText, plainTextOrNull } from './plain-text.js';

/** What a step makes of a tool call: everything for a new one, else what changed. Instants in milliseconds. */
export interface ToolCallChange {
  readonly id: string;
  readonly status: ToolCallStatus;
  readonly checks: string;
  readonly arguments?: string;
  readonly argumentsDigest?: string;
  readonly result?: string;
  readonly error?: string;
  readonly replayOf?: string;
  readonly idempotencyKey?: string;
  readonly approvalId?: string;
  /** JSON text; the names in it replace those that are there. */
  readonly revisions?: string;
  readonly resultDigest?: string;
  readonly bindingDigest?: string;
  readonly attempts?: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

export interface ToolCallRow extends ToolCallChange {
  readonly turn: number;
  readonly index: number;
  readonly tool: string;
  readonly toolVersion: number | null;
  readonly effect: string | null;
  readonly arguments: string;
  readonly callId: string;
  readonly providerCallId: string | null;
  readonly modelCallId: string;
  readonly provider: string;
  readonly api: string;
  readonly responseId: string | null;
  readonly requestDigest: string;
  readonly revisions: string;
  readonly attempts: number;
  readonly createdAt: number;
}

export interface ToolCallRows {
  readonly inserted: readonly ToolCallRow[];
  readonly updated: readonly ToolCallChange[];
}

type Responded = Extract<RunEvent, { type: 'model.responded' }>;

/** The tool calls that a step adds and touches, each once, as the whole step leaves it. */
export function toolCallRows(
  before: Run,
  after: Run,
  events: readonly StoredEvent[],
  tools: ReadonlyMap<string, ToolDefinition>,
): ToolCallRows {
  const inserted: ToolCallRow[] = [];
  const touched = new Map<string, StoredEvent[]>();
  for (const stored of events) {
    if (!isToolCallEvent(stored.event)) continue;
    const { toolCallId } = stored.event;
    touched.set(toolCallId, [...(touched.get(toolCallId) ?? []), stored]);
  }
  for (const { event, at } of events) {
    if (event.type !== 'model.responded') continue;
    for (const { toolCallId } of event.calls) {
      const call = findCall(after, toolCallId);
      if (call === null) continue;
      const change = changeOf(before, after, call, touched.get(toolCallId) ?? []);
      inserted.push(newRow(after, call, change, { event, at }, tools.get(call.tool)));
      touched.delete(toolCallId);
    }
  }
  const updated = [...touched].flatMap(([id, own]) => {
    const call = findCall(after, id);
    return call === null ? [] : [changeOf(before, after, call, own)];
  });
  return { inserted, updated };
}

function newRow(
  run: Run,
  call: ToolCall,
  change: ToolCallChange,
  { event, at }: { event: Responded; at: number },
  definition: ToolDefinition | undefined,
): ToolCallRow {
  const handler =
    definition === undefined ? null : `${definition.executor.type}:${call.tool}@${definition.version}`;
  const policy = change.revisions === undefined ? { policy: null } : (JSON.parse(change.revisions) as object);
  return {
    attempts: 0,
    ...change,
    turn: call.turn,
    index: call.index,
    tool: plainText(call.tool),
    toolVersion: versionOf(run, call),
    effect: definition?.effect ?? null,
    arguments: change.arguments ?? proposedArguments(call.proposed),
    callId: plainText(call.callId),
    providerCallId: plainTextOrNull(call.providerCallId),
    modelCallId: event.modelCallId,
    provider: event.provider,
    api: event.api,
    responseId: plainTextOrNull(event.responseId),
    requestDigest: event.requestDigest,
    revisions: JSON.stringify({
      adapter: event.revision.adapter,
      sdk: event.revision.sdk,
      handler,
      ...policy,
    }),
    createdAt: at,
  };
}

/** A model may call a tool by any name, those of Object.prototype included. */
function versionOf({ toolVersions }: Run, { tool }: ToolCall): number | null {
  return Object.hasOwn(toolVersions, tool) ? (toolVersions[tool] ?? null) : null;
}

/** JSON text as the model wrote it, or a string of it where it is no JSON. */
function proposedArguments(proposed: string): string {
  if (proposed.trim() === '') return '{}';
  return parseJson(proposed).ok ? jsonColumn(proposed) : JSON.stringify(proposed);
}

function changeOf(before: Run, after: Run, call: ToolCall, events: readonly StoredEvent[]): ToolCallChange {
  const bound = boundIn(call.state);
  const noted = notedIn(events);
  const key = noted.idempotencyKey ?? keyOf(before, call);
  return {
    id: call.id,
    status: call.state.status,
    checks: JSON.stringify(call.checks),
    ...(bound === null
      ? {}
      : { arguments: jsonColumn(bound.arguments), argumentsDigest: bound.argumentsDigest }),
    ...noted,
    ...outcomeOf(after, call, key, events),
  };
}

/** What only the events say. */
function notedIn(events: readonly StoredEvent[]) {
  let attempts = 0;
  const noted: { -readonly [Name in keyof ToolCallChange]?: ToolCallChange[Name] } = {};
  for (const { event, at } of events) {
    if ('attempts' in event) attempts += event.attempts;
    if ('policyVersion' in event) noted.revisions = JSON.stringify({ policy: String(event.policyVersion) });
    if (event.type === 'approval.requested') noted.approvalId = event.approvalId;
    if (event.type === 'tool.started') {
      noted.idempotencyKey = event.idempotencyKey;
      noted.startedAt = at;
    }
  }
  return attempts === 0 ? noted : { ...noted, attempts };
}

function keyOf(run: Run, call: ToolCall): string | null {
  const state = sameCall(run, call)?.state;
  return state !== undefined && 'idempotencyKey' in state ? state.idempotencyKey : null;
}

/** How a call ended, where it has: what came of it, and one digest over who asked for what, what ran and what came back. */
function outcomeOf(run: Run, call: ToolCall, key: string | null, events: readonly StoredEvent[]) {
  const { state } = call;
  const finishedAt = events.at(-1)?.at;
  switch (state.status) {
    case 'succeeded': {
      const resultDigest = digestOf(state.output);
      return {
        result: jsonColumn(state.output),
        resultDigest,
        bindingDigest: bindingDigest(run, call, key, resultDigest),
        ...(state.replayOf === null ? {} : { replayOf: state.replayOf }),
        finishedAt,
      };
    }
    case 'denied':
    case 'failed':
      return {
        error: JSON.stringify({ code: state.code, message: state.result.text }),
        bindingDigest: bindingDigest(run, call, key, state.code),
        finishedAt,
      };
    case 'unknown':
      return { error: JSON.stringify({ code: 'outcome_unknown', message: state.detail }), finishedAt };
    case 'cancelled':
      return { error: JSON.stringify({ code: 'cancelled', message: state.result.text }), finishedAt };
    default:
      return {};
  }
}

function bindingDigest(run: Run, call: ToolCall, key: string | null, outcome: string): string {
  const digest = boundIn(call.state)?.argumentsDigest ?? null;
  const version = versionOf(run, call);
  const parts = [
    run.tenant,
    run.id,
    run.operationId,
    call.id,
    call.callId,
    call.tool,
    version,
    digest,
    key,
    outcome,
  ];
  return digestOf(JSON.stringify(parts) as JsonText);
}
