/** The answers of the API as CONTRACT writes them: written down apart from the product, so that a change there is seen here. */

export type RunStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'refused'
  | 'incomplete'
  | 'failed'
  | 'cancelled';

export const FINAL_STATUSES: readonly RunStatus[] = [
  'completed',
  'refused',
  'incomplete',
  'failed',
  'cancelled',
];

export interface Page<Item> {
  readonly data: Item[];
  readonly nextCursor: string | null;
}

export interface WaitingOn {
  readonly approvals: string[];
  readonly toolResults: { toolCallId: string; tool: string; arguments: unknown }[];
  readonly outcomes: string[];
  readonly until: string | null;
  readonly why: string | null;
}

export interface RunView {
  readonly id: string;
  readonly agent: { name: string; version: number };
  readonly threadId: string | null;
  readonly operationId: string;
  readonly subject: { id: string } | null;
  readonly status: RunStatus;
  readonly statusReason: { code: string; message: string } | null;
  readonly waitingOn: WaitingOn | null;
  readonly output: string | null;
  readonly usage: {
    turns: number;
    modelCalls: number;
    toolCalls: number;
    toolsUsed: string[];
    messages: number;
    inputTokens: number;
    cachedInputTokens: number;
    cacheWriteTokens: number;
    outputTokens: number;
    reasoningTokens: number;
    estimated: boolean;
  };
  readonly costUsd: string;
  readonly wasteUsd: string;
  readonly budget: { limitUsd: string | null; reservedUsd: string };
  readonly metadata: unknown;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly deadlineAt: string | null;
  readonly seq: number;
}

export interface EventView {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: Record<string, unknown>;
}

export interface ToolCallView {
  readonly id: string;
  readonly turn: number;
  readonly index: number;
  readonly tool: string;
  readonly toolVersion: number | null;
  readonly effect: 'read' | 'idempotent' | 'once' | null;
  readonly arguments: unknown;
  readonly argumentsDigest: string | null;
  readonly checks: Record<'registered' | 'arguments' | 'scope' | 'policy' | 'credential', string>;
  readonly status: string;
  readonly result?: unknown;
  readonly error?: { code: string; message: string } | null;
  readonly replayOf: string | null;
  readonly ids: {
    provider: string;
    api: string;
    responseId: string | null;
    callId: string;
    operationId: string;
    idempotencyKey: string | null;
    approvalId: string | null;
  };
  readonly resultDigest: string | null;
  readonly attempts: number;
}

export interface ApprovalView {
  readonly id: string;
  readonly runId: string;
  readonly agent: { name: string; version: number };
  readonly toolCallId: string;
  readonly tool: string;
  readonly toolVersion: number;
  readonly arguments: unknown;
  readonly argumentsDigest: string;
  readonly effect: string;
  readonly money: { amount: string; currency: string } | null;
  readonly facts: { ok: boolean; facts: unknown; message: string | null } | null;
  readonly reason: string;
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly subject: unknown;
  readonly status: 'pending' | 'approved' | 'rejected' | 'expired' | 'cancelled';
  readonly requiredApprovals: number;
  readonly approverRoles: readonly string[];
  readonly startedBy: { type: string; id: string };
  readonly decisions: {
    by: { type: string; id: string };
    name: string | null;
    decision: string;
    message: string | null;
    at: string;
  }[];
  readonly requestedAt: string;
  readonly expiresAt: string;
}

export interface MessageView {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly calls?: { callId: string; tool: string; arguments: string }[];
  readonly callId?: string;
  readonly tool?: string;
  readonly isError?: boolean;
}

export interface OutcomeView {
  readonly runId: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly idempotencyKey: string;
  readonly status: 'pending' | 'settled';
}
