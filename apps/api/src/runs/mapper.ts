import { type Run as CoreRun, formatUsd, type JsonText, parseUsd } from '@countersign/agent-core';
import type { Message, ModelCall, Run, RunStatus, ToolCall } from '@countersign/contracts';
import { type RawJson, raw } from '../platform/reply.js';
import type { MessageRow, ModelCallRow, RunRow, ToolCallRow } from './run.repository.js';

/** A run as CONTRACT shows it, save that `waitingOn` is the JSON text of what CONTRACT shows. */
export type RunView = Omit<Run, 'waitingOn'> & { readonly waitingOn: RawJson | null };

/** Payloads go out as the text that is stored, digit by digit (invariant I12). */
export function runView(row: RunRow): RunView {
  return {
    id: row.id,
    agent: { name: row.agentName, version: row.agentVersion },
    threadId: row.threadId,
    operationId: row.operationId,
    subject: raw(row.subject),
    status: row.status as RunStatus,
    statusReason: row.reasonCode === null ? null : { code: row.reasonCode, message: row.reasonMessage ?? '' },
    waitingOn: row.status === 'waiting' ? raw(row.waitingOn) : null,
    output: text(row.output),
    usage: {
      turns: row.turns,
      modelCalls: row.modelCalls,
      toolCalls: row.toolCalls,
      toolsUsed: JSON.parse(row.toolsUsed) as string[],
      messages: row.messages,
      inputTokens: row.inputTokens,
      cachedInputTokens: row.cachedInputTokens,
      cacheWriteTokens: row.cacheWriteTokens,
      outputTokens: row.outputTokens,
      reasoningTokens: row.reasoningTokens,
      estimated: row.estimated,
    },
    costUsd: usdView(row.costUsd),
    wasteUsd: usdView(row.wasteUsd),
    budget: {
      limitUsd: row.budgetLimitUsd === null ? null : usdView(row.budgetLimitUsd),
      reservedUsd: usdView(row.reservedUsd),
    },
    metadata: raw(row.metadata),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
    seq: row.seq,
  };
}

/** A run that was just queued, as its row will read. */
export function newRunView(run: CoreRun, metadata: JsonText | null): RunView {
  const nothing = '0.000000';
  const { turns, modelCalls, usage, estimated } = run;
  return {
    id: run.id,
    agent: run.agent,
    threadId: run.thread?.id ?? null,
    operationId: run.operationId,
    subject: raw(run.subject),
    status: 'queued',
    statusReason: null,
    waitingOn: null,
    output: null,
    usage: {
      turns: turns.length,
      modelCalls,
      toolCalls: 0,
      toolsUsed: [],
      messages: run.input.length,
      ...usage,
      estimated,
    },
    costUsd: nothing,
    wasteUsd: nothing,
    budget: {
      limitUsd: run.budgetLimitUsd === null ? null : formatUsd(parseUsd(run.budgetLimitUsd)),
      reservedUsd: nothing,
    },
    metadata: raw(metadata),
    createdAt: new Date(run.createdAt).toISOString(),
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
    seq: run.seq,
  };
}

const FINAL: readonly string[] = ['completed', 'refused', 'incomplete', 'failed', 'cancelled'];

export function hasEnded(row: Pick<RunRow, 'status'>): boolean {
  return FINAL.includes(row.status);
}

/** True where nothing moves before people or the app act, or never again: what `?wait` waits for. */
export function standsStill(row: RunRow): boolean {
  if (hasEnded(row)) return true;
  if (row.status !== 'waiting' || row.waitingOn === null) return false;
  const { approvals, toolResults, outcomes } = JSON.parse(row.waitingOn) as NonNullable<Run['waitingOn']>;
  return approvals.length + toolResults.length + outcomes.length > 0;
}

/** A tool call as CONTRACT shows it. `operationId` is its run's. */
export function toolCallView(row: ToolCallRow, operationId: string): ToolCall {
  return {
    id: row.id,
    turn: row.turn,
    index: row.index,
    tool: row.tool,
    toolVersion: row.toolVersion,
    effect: row.effect as ToolCall['effect'],
    arguments: raw(row.arguments),
    argumentsDigest: row.argumentsDigest,
    checks: JSON.parse(row.checks) as ToolCall['checks'],
    status: row.status as ToolCall['status'],
    ...(row.result === null ? {} : { result: raw(row.result) }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as { code: string; message: string } }),
    replayOf: row.replayOf,
    ids: {
      provider: row.provider,
      api: row.api,
      responseId: row.responseId,
      callId: row.callId,
      operationId,
      idempotencyKey: row.idempotencyKey,
      approvalId: row.approvalId,
    },
    revisions: JSON.parse(row.revisions) as ToolCall['revisions'],
    requestDigest: row.requestDigest,
    resultDigest: row.resultDigest,
    bindingDigest: row.bindingDigest,
    attempts: row.attempts,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** An attempt at a model as CONTRACT shows it. Where no reply came its usage is what was reported, or nothing. */
export function modelCallView(row: ModelCallRow): ModelCall {
  return {
    id: row.id,
    turn: row.turn,
    provider: row.provider,
    api: row.api,
    model: row.model,
    responseId: row.responseId,
    finish: row.finish === null ? null : { unified: row.finish, raw: row.finishRaw ?? row.finish },
    failure: row.failure === null ? null : { code: row.failure, httpStatus: row.httpStatus },
    usage: {
      inputTokens: row.inputTokens,
      cachedInputTokens: row.cachedInputTokens,
      cacheWriteTokens: row.cacheWriteTokens,
      outputTokens: row.outputTokens,
      reasoningTokens: row.reasoningTokens,
    },
    estimated: row.estimated,
    costUsd: usdView(row.costUsd.toFixed()),
    wasteUsd: usdView(row.wasteUsd.toFixed()),
    reservedUsd: usdView(row.reservedUsd.toFixed()),
    priceVersion: row.priceVersion,
    requestDigest: row.requestDigest,
    revisions: { adapter: row.adapterRevision, sdk: row.sdkRevision },
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt.toISOString(),
  };
}

type StoredContent =
  | string
  | { readonly text: string; readonly calls: Message['calls'] }
  | {
      readonly toolCallId: string;
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
      readonly isError: boolean;
    };

export function messageView(row: MessageRow): Message {
  const content = JSON.parse(row.content) as StoredContent;
  const { text: words, ...rest } = typeof content === 'string' ? { text: content } : content;
  return {
    id: row.id,
    turn: row.turn,
    role: row.role as Message['role'],
    content: words,
    ...rest,
    createdAt: row.createdAt.toISOString(),
  };
}

/** An amount as CONTRACT writes it: exact, at least six decimals. */
export function usdView(amount: string): string {
  return formatUsd(parseUsd(amount));
}

/** Text that is stored as the JSON text of a string, so that NUL and lone surrogates survive. */
function text(stored: string | null): string | null {
  return stored === null ? null : (JSON.parse(stored) as string);
}
