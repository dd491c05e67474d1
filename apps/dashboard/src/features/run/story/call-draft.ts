import type { ToolCall } from '@countersign/contracts';
import type { Actor, Bound, Checks } from './happening';
import type { Stretch } from './stretch';

/** One decision of a person on an approval. */
export interface Decision {
  readonly by: Actor;
  readonly decision: 'approve' | 'reject';
  readonly message: string | null;
  readonly edited: Bound | null;
  /** Milliseconds since 1970, as all times of a story. */
  readonly at: number;
}

export interface ApprovalDraft {
  readonly id: string;
  readonly reason: string;
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly required: number;
  readonly requestedAt: number;
  readonly expiresAt: number;
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'cancelled';
  decisions: readonly Decision[];
  /** End of the time in which it may be undone. */
  notBefore: number;
  /** What was asked for, before an edit. */
  readonly asked: Bound;
}

/** A request for a signature, and what became of it. */
export type ApprovalStory = Readonly<ApprovalDraft>;

/** A call while its events are read. */
export interface CallDraft {
  readonly id: string;
  readonly turn: number;
  readonly index: number;
  readonly tool: string;
  readonly callId: string;
  /** The arguments' text as the model wrote it; it may not be JSON. */
  readonly proposed: string;
  readonly proposedAt: number;
  checks: Checks;
  status: ToolCall['status'];
  bound: Bound | null;
  policy: { readonly rule: string | null; readonly version: number } | null;
  /** What stopped it, or why it failed or is unknown. */
  trouble: { readonly code: string; readonly message: string } | null;
  /** What came back; `text` is what the model reads. */
  result: { readonly output: unknown; readonly text: string; readonly replayOf: string | null } | null;
  approvals: readonly ApprovalDraft[];
  settled: {
    readonly by: Actor | { readonly type: 'reconcile' };
    readonly outcome: string;
    readonly at: number;
  } | null;
  attempts: number;
  /** Whether another call has its intent at the moment. */
  held: boolean;
  /** When a person is asked about an unknown outcome at the latest; null: nobody is asked. */
  askUntil: number | null;
  /** What it went through, one after the other: executing, or waiting for something. */
  stretches: readonly Stretch[];
  /** Of its last event. */
  movedAt: number;
}

/** A call that the model proposed, and what became of it. */
export type CallStory = Readonly<CallDraft>;
