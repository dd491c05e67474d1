import type { Digest, Instant, JsonText } from '../shared/brand.js';
import type { BoundArguments } from '../tools/bound-arguments.js';
import type { Approval } from './approval.js';

/** The result of a call as the model reads it. Every call gets exactly one (invariant I11). */
export interface CallResult {
  /** Never empty. */
  readonly text: string;
  readonly isError: boolean;
}

/** The checks of a call in their order; the one that stopped it, and those behind it that were never reached. */
export interface CallChecks {
  readonly registered: CheckState;
  readonly arguments: CheckState;
  readonly scope: CheckState;
  readonly policy: CheckState;
  readonly credential: CheckState;
}
export type CheckState = 'passed' | 'stopped' | 'not_reached';

export const CHECKS_NOT_REACHED: CallChecks = {
  registered: 'not_reached',
  arguments: 'not_reached',
  scope: 'not_reached',
  policy: 'not_reached',
  credential: 'not_reached',
};

/** Allowed so far; only the tool's own side can still refuse the credential. */
export const CHECKS_PASSED: CallChecks = {
  registered: 'passed',
  arguments: 'passed',
  scope: 'passed',
  policy: 'passed',
  credential: 'not_reached',
};

/** What never changes of a call from the moment in which the model proposed it. */
export interface ProposedToolCall {
  readonly id: string;
  readonly turn: number;
  readonly index: number;
  readonly tool: string;
  /** The call's id in the conversation: the provider's, or ours where it was missing or doubled. */
  readonly callId: string;
  readonly providerCallId: string | null;
  /** The arguments' text as the model wrote it. */
  readonly proposed: string;
}

export type { BoundArguments };

interface Started extends BoundArguments {
  readonly approval: Approval | null;
  readonly idempotencyKey: string;
  readonly intentKey: string | null;
  readonly startedAt: Instant;
}

/** The states of a tool call: CONTRACT's statuses, each with just what it needs. */
export type ToolCallState =
  | { readonly status: 'requested' }
  | ({ readonly status: 'permitted' } & BoundArguments)
  | {
      readonly status: 'denied';
      readonly code: string;
      readonly result: CallResult;
      readonly bound: BoundArguments | null;
    }
  | ({ readonly status: 'awaiting_approval'; readonly approval: Approval } & BoundArguments)
  | ({ readonly status: 'approved'; readonly approval: Approval } & BoundArguments)
  | ({ readonly status: 'executing' } & Started)
  | ({ readonly status: 'awaiting_client'; readonly until: Instant } & BoundArguments)
  | {
      readonly status: 'succeeded';
      readonly bound: BoundArguments;
      readonly output: JsonText;
      readonly result: CallResult;
      readonly binding: Digest;
      readonly replayOf: string | null;
      /** The intent that is settled by it; null for a read. */
      readonly intentKey: string | null;
    }
  | {
      readonly status: 'failed';
      readonly code: string;
      readonly result: CallResult;
      readonly bound: BoundArguments;
      readonly infrastructure: boolean;
    }
  /** `askUntil` null: the tool tells the model (`onUnknown: tell`), and `result` is what it was told. */
  | ({
      readonly status: 'unknown';
      readonly askUntil: Instant | null;
      readonly detail: string;
      readonly result: CallResult | null;
    } & Started)
  | { readonly status: 'cancelled'; readonly result: CallResult };

export type ToolCall = ProposedToolCall & {
  readonly checks: CallChecks;
  /** Set while another call holds the intent of this one, which looks again at `until`. */
  readonly held: { readonly since: Instant; readonly until: Instant } | null;
  /** Executions that began: a second one needs the word that the first did not happen, and there is no third. */
  readonly tries: number;
  /** Requests for a signature so far: a new request gets a new id. */
  readonly approvalRequests: number;
  readonly state: ToolCallState;
};
export type ToolCallStatus = ToolCallState['status'];
