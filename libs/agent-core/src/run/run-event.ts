import type { RawItem } from '../model/conversation.js';
import type { FinishReason, ModelFailureCode, Usage } from '../model/model-event.js';
import type { Digest, Instant, JsonText, UsdText } from '../shared/brand.js';
import type { RunLimits } from './agent-definition.js';
import type { Actor, ApprovalRequest } from './approval.js';
import type { Ending, ThreadPlace, Waits } from './run.js';
import type { BoundArguments, CallChecks } from './tool-call.js';

/** A call as the model proposed it, with the id that we gave it. */
export interface RecordedCall {
  readonly toolCallId: string;
  readonly callId: string;
  readonly providerCallId: string | null;
  readonly tool: string;
  readonly arguments: string;
}

/** One attempt at a model, whether it gave a reply or not. Instants and money are exact; `usage` null: none came. */
interface ModelAttempt {
  readonly modelCallId: string;
  readonly choice: number;
  readonly provider: string;
  readonly api: string;
  readonly model: string;
  readonly requestDigest: Digest;
  readonly revision: { readonly adapter: string; readonly sdk: string };
  readonly priceVersion: string;
  readonly usage: Usage | null;
  readonly estimated: boolean;
  readonly costUsd: UsdText;
  readonly wasteUsd: UsdText;
  readonly startedAt: Instant;
}

/** What a model call costs, and by which price. */
interface RatedCost {
  readonly priceVersion: string;
  readonly costUsd: UsdText;
  readonly wasteUsd: UsdText;
}

/** The alphabet of a run: everything that can happen to it. Stored as `{seq, type, at, data}`, `data` without `type`. */
export type RunEvent =
  | ({
      readonly type: 'run.queued';
      readonly reason: 'created';
    } & RunCreation)
  | { readonly type: 'run.queued'; readonly reason: 'timer' }
  /** `waitedMs`: for how long a worker could have taken the run before one did. */
  | { readonly type: 'run.started'; readonly worker: string; readonly waitedMs: number }
  | { readonly type: 'run.resumed'; readonly worker: string; readonly waitedMs: number }
  | ({ readonly type: 'run.waiting' } & Waits)
  | {
      readonly type: 'run.handed_back';
      readonly reason: 'shutdown' | 'lease_expired' | 'suspended' | 'yielded';
    }
  | { readonly type: 'run.cancel_requested'; readonly by: Actor }
  /** The cause of an ending that has still something to settle. The first one stands. */
  | ({ readonly type: 'run.ending' } & Ending)
  | ({ readonly type: 'run.finished'; readonly output: string | null } & Ending)
  | ({
      readonly type: 'model.responded';
      readonly turn: number;
      readonly responseId: string | null;
      readonly text: string;
      readonly refusal: string | null;
      readonly finish: FinishReason;
      readonly raw: readonly RawItem[];
      readonly calls: readonly RecordedCall[];
    } & ModelAttempt)
  | ({
      readonly type: 'model.failed';
      readonly code: ModelFailureCode | 'worker_lost';
      /** For operators; without secrets. */
      readonly message: string;
      readonly httpStatus: number | null;
      readonly retryable: boolean;
      readonly retryAfterMs: number | null;
    } & ModelAttempt)
  /** The operator corrected a price: what a call costs by it, and what it cost before. */
  | ({
      readonly type: 'model.re_rated';
      readonly modelCallId: string;
      readonly before: RatedCost;
    } & RatedCost)
  | ({
      readonly type: 'tool.permitted';
      readonly toolCallId: string;
      readonly checks: CallChecks;
      readonly policyVersion: number;
      readonly policyRule: string;
    } & BoundArguments)
  | {
      readonly type: 'tool.denied';
      readonly toolCallId: string;
      readonly code: string;
      readonly message: string;
      readonly checks: CallChecks;
      readonly bound: BoundArguments | null;
      readonly policyVersion: number;
      readonly policyRule: string | null;
    }
  /** Another call holds the intent: this one looks again at `until`. */
  | { readonly type: 'tool.held'; readonly toolCallId: string; readonly until: Instant }
  | ({
      readonly type: 'approval.requested';
      readonly toolCallId: string;
      readonly checks: CallChecks;
    } & ApprovalRequest)
  | {
      readonly type: 'approval.decided';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly by: Actor;
      readonly decision: 'approve' | 'reject';
      readonly message: string | null;
      /** Set where the reviewer changed the arguments: it voids earlier approvals and counts as the editor's own. */
      readonly edited: BoundArguments | null;
      /** End of the time in which the decision may be undone. */
      readonly notBefore: Instant;
    }
  | { readonly type: 'approval.expired'; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: 'approval.cancelled';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly reason: 'run_ending' | 'tool_withdrawn' | 'superseded' | 'denied';
    }
  | {
      readonly type: 'approval.reopened';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly by: Actor;
    }
  | {
      readonly type: 'tool.started';
      readonly toolCallId: string;
      readonly idempotencyKey: string;
      /** Null for `read`. */
      readonly intentKey: string | null;
      readonly approvalId: string | null;
    }
  | { readonly type: 'tool.awaiting_client'; readonly toolCallId: string; readonly until: Instant }
  | {
      readonly type: 'tool.succeeded';
      readonly toolCallId: string;
      readonly output: JsonText;
      /** What the model reads. */
      readonly text: string;
      readonly replayOf: string | null;
      /** The arguments, where a call is answered from the record before it was permitted. */
      readonly bound: BoundArguments | null;
      /** Ties the result to its call (`bindResult`). */
      readonly binding: Digest;
      /** Attempts made within this execution; 0 for a replay. */
      readonly attempts: number;
    }
  | {
      readonly type: 'tool.failed';
      readonly toolCallId: string;
      readonly code: string;
      readonly message: string;
      /** True: the tool's side is in trouble, rather than the call. */
      readonly infrastructure: boolean;
      readonly attempts: number;
    }
  | {
      readonly type: 'tool.unknown';
      readonly toolCallId: string;
      /** What is known: when it was sent, what came back. Shown to people; part of what a model is told under `tell`. */
      readonly message: string;
      readonly onUnknown: 'ask' | 'tell';
      readonly askUntil: Instant;
      readonly attempts: number;
    }
  /** An unknown outcome became known: by `reconcile`, or by a person. */
  | {
      readonly type: 'tool.settled';
      readonly toolCallId: string;
      readonly outcome: 'happened' | 'did_not_happen';
      readonly by: Actor | { readonly type: 'reconcile' };
      readonly output: JsonText | null;
      readonly text: string;
      /** Ties the result to its call (`bindResult`). */
      readonly binding: Digest;
    }
  | { readonly type: 'tool.cancelled'; readonly toolCallId: string; readonly message: string };

/** What `POST /runs` fixes for the whole life of a run. */
export interface RunCreation {
  readonly startedBy: Actor;
  readonly agent: { readonly name: string; readonly version: number };
  readonly toolVersions: Readonly<Record<string, number>>;
  readonly operationId: string;
  readonly thread: ThreadPlace | null;
  readonly subject: JsonText | null;
  readonly input: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly limits: RunLimits;
  readonly budgetLimitUsd: UsdText | null;
}

/** An event in its place in a run. */
export interface StoredEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly event: RunEvent;
}
