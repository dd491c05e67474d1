import type { ConversationItem, RawItem } from '../model/conversation.js';
import type { FinishReason, Usage } from '../model/model-event.js';
import type { Instant, JsonText, UsdText } from '../shared/brand.js';
import type { RunLimits } from './agent-definition.js';
import type { Actor } from './approval.js';
import type { ToolCall } from './tool-call.js';

export type FinalStatus = 'completed' | 'refused' | 'incomplete' | 'failed' | 'cancelled';

export type EndingCode =
  | 'max_tokens'
  | 'context_overflow'
  | 'budget_exceeded'
  | 'turn_limit'
  | 'tool_call_limit'
  | 'token_limit'
  | 'deadline_exceeded'
  | 'max_age_exceeded'
  | 'no_progress'
  | 'approval_expired'
  | 'outcome_unknown'
  | 'tool_result_expired'
  | 'model_error'
  | 'model_unavailable'
  | 'agent_invalid'
  | 'worker_lost'
  | 'internal';

/** A run's place in its thread, from 1: what the runs before it said is part of its conversation. */
export interface ThreadPlace {
  readonly id: string;
  readonly position: number;
}

/** Why and how a run ends. `reason` is null where CONTRACT gives none (completed, refused, cancelled). */
export interface Ending {
  readonly status: FinalStatus;
  readonly reason: { readonly code: EndingCode; readonly message: string } | null;
}

/** What a waiting run waits for. Several at once are usual. */
export interface Waits {
  readonly approvals: readonly string[];
  readonly toolResults: readonly string[];
  readonly outcomes: readonly string[];
  /** When the run goes on by itself. */
  readonly until: Instant | null;
  readonly why: 'intent_held' | 'budget_reserved' | 'provider_unavailable' | null;
}

export type RunStatus =
  | { readonly name: 'queued' }
  | { readonly name: 'running'; readonly since: Instant }
  | { readonly name: 'waiting'; readonly on: Waits }
  | ({ readonly name: 'finished'; readonly at: Instant; readonly output: string | null } & Ending);

/** One reply of the model and what became of the calls in it. */
export interface Turn {
  /** From 1. */
  readonly index: number;
  readonly text: string;
  readonly refusal: string | null;
  readonly finish: FinishReason;
  readonly raw: readonly RawItem[];
  readonly calls: readonly ToolCall[];
}

/** A model attempt that gave no reply since the last one that did. */
export interface FailedAttempt {
  /** Position in the agent's list of models. */
  readonly choice: number;
  readonly retryable: boolean;
  readonly code: string;
  /** How long the run had been running then, in milliseconds: patience does not count the time in a queue. */
  readonly ranMs: number;
  readonly retryAfterMs: number | null;
}

/** A run as the fold of its events (invariants I1, I3). */
export interface Run {
  readonly id: string;
  readonly tenant: string;
  /** Number of the last event. */
  readonly seq: number;
  /** The latest time of an event so far: what comes next is never earlier, whoever's clock says so. */
  readonly lastEventAt: Instant;
  /** A member who started a run signs none of its calls. */
  readonly startedBy: Actor;
  readonly agent: { readonly name: string; readonly version: number };
  readonly toolVersions: Readonly<Record<string, number>>;
  readonly operationId: string;
  readonly thread: ThreadPlace | null;
  /** The subject's canonical JSON text, or null. */
  readonly subject: JsonText | null;
  readonly input: readonly ConversationItem[];
  readonly limits: RunLimits;
  readonly budgetLimitUsd: UsdText | null;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly status: RunStatus;
  /** Running time before the current stretch, in milliseconds. */
  readonly ranMs: number;
  /** Claims since the last event that a worker's work produced. */
  readonly claimsWithoutProgress: number;
  readonly cancelRequested: boolean;
  /** Set once the run is ending: the first cause stands. */
  readonly ending: Ending | null;
  readonly turns: readonly Turn[];
  readonly failedAttempts: readonly FailedAttempt[];
  /** Waits in a row for money that others have reserved: each is longer than the one before. */
  readonly budgetWaits: number;
  readonly modelCalls: number;
  readonly usage: Usage;
  readonly estimated: boolean;
  readonly costUsd: UsdText;
  readonly wasteUsd: UsdText;
}

/** Milliseconds that the run has been running: waiting and queueing do not count. */
export function ranMs(run: Run, now: number): number {
  return run.ranMs + (run.status.name === 'running' ? Math.max(0, now - run.status.since) : 0);
}
