import type { RunEvent, RunStatus, ToolCall } from '@countersign/contracts';

/*
 * The events of a run as the stream gives them, with the members that this page reads. The contract leaves `data` open:
 * what is not named here is passed over, as it asks of its readers.
 */

export interface Actor {
  readonly type: 'member' | 'key';
  readonly id: string;
}

/** Why a run ended; null where it needs no reason. */
export type Reason = { readonly code: string; readonly message: string } | null;

export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** What was fixed when the run was posted. */
export interface Creation {
  readonly reason: 'created';
  readonly startedBy: Actor;
  readonly agent: { readonly name: string; readonly version: number };
  readonly operationId: string;
  readonly subject: unknown;
  readonly input: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly limits: Readonly<Record<string, number | null>>;
  readonly budgetLimitUsd: string | null;
}

export interface Attempt {
  readonly modelCallId: string;
  /** Position in the agent's list of models: 0 for the first, then its fallbacks. */
  readonly choice: number;
  readonly provider: string;
  readonly api: string;
  readonly model: string;
  readonly requestDigest: string;
  readonly revision: { readonly adapter: string; readonly sdk: string };
  readonly priceVersion: string;
  readonly usage: Usage | null;
  readonly estimated: boolean;
  readonly costUsd: string;
  readonly wasteUsd: string;
  readonly startedAt: string;
}

interface Reply extends Attempt {
  readonly turn: number;
  readonly responseId: string | null;
  readonly text: string;
  readonly refusal: string | null;
  readonly finish: { readonly unified: string; readonly raw: string };
  readonly calls: readonly {
    readonly toolCallId: string;
    readonly callId: string;
    readonly providerCallId: string | null;
    readonly tool: string;
    readonly arguments: string;
  }[];
}

interface FailedAttempt extends Attempt {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
}

export type Checks = ToolCall['checks'];

/** Arguments as they are bound to a digest. */
export interface Bound {
  readonly arguments: unknown;
  readonly argumentsDigest: string;
}

interface OfApproval {
  readonly toolCallId: string;
  readonly approvalId: string;
}

interface Requested extends OfApproval, Bound {
  readonly checks: Checks;
  readonly reason: string;
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly requiredApprovals: number;
  readonly requestedAt: string;
  readonly expiresAt: string;
}

interface Decided extends OfApproval {
  readonly by: Actor;
  readonly decision: 'approve' | 'reject';
  readonly message: string | null;
  readonly edited: Bound | null;
  readonly notBefore: string;
}

interface Permitted extends Bound {
  readonly toolCallId: string;
  readonly checks: Checks;
  readonly policyVersion: number;
  readonly policyRule: string;
}

interface Denied {
  readonly toolCallId: string;
  readonly code: string;
  readonly message: string;
  readonly checks: Checks;
  readonly bound: Bound | null;
  readonly policyVersion: number;
  readonly policyRule: string | null;
}

interface Started {
  readonly toolCallId: string;
  readonly idempotencyKey: string;
  readonly intentKey: string | null;
  readonly approvalId: string | null;
}

interface Succeeded {
  readonly toolCallId: string;
  readonly output: unknown;
  readonly text: string;
  readonly replayOf: string | null;
  readonly bound: Bound | null;
  readonly attempts: number;
}

interface Failed {
  readonly toolCallId: string;
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

interface Unknown {
  readonly toolCallId: string;
  readonly message: string;
  readonly onUnknown: 'ask' | 'tell';
  readonly askUntil: string;
  readonly attempts: number;
}

interface Settled {
  readonly toolCallId: string;
  readonly outcome: 'happened' | 'did_not_happen';
  readonly by: Actor | { readonly type: 'reconcile' };
  readonly output: unknown;
  readonly text: string;
}

type Event<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export type CallHappening =
  | Event<'tool.permitted', Permitted>
  | Event<'tool.denied', Denied>
  | Event<'tool.held', { readonly toolCallId: string; readonly until: string }>
  | Event<'approval.requested', Requested>
  | Event<'approval.decided', Decided>
  | Event<'approval.expired', OfApproval>
  | Event<'approval.cancelled', OfApproval & { readonly reason: string }>
  | Event<'approval.reopened', OfApproval & { readonly by: Actor }>
  | Event<'tool.started', Started>
  | Event<'tool.awaiting_client', { readonly toolCallId: string; readonly until: string }>
  | Event<'tool.succeeded', Succeeded>
  | Event<'tool.failed', Failed>
  | Event<'tool.unknown', Unknown>
  | Event<'tool.settled', Settled>
  | Event<'tool.cancelled', { readonly toolCallId: string; readonly message: string }>;

export type HandedBack = 'shutdown' | 'lease_expired' | 'suspended' | 'yielded';
export type WaitingFor = 'intent_held' | 'budget_reserved' | 'provider_unavailable';

export type RunHappening =
  | Event<'run.queued', Creation | { readonly reason: 'timer' }>
  | Event<'run.started' | 'run.resumed', { readonly worker: string }>
  | Event<'run.waiting', { readonly until: string | null; readonly why: WaitingFor | null }>
  | Event<'run.handed_back', { readonly reason: HandedBack }>
  | Event<'run.cancel_requested', { readonly by: Actor }>
  | Event<
      'run.finished',
      { readonly status: RunStatus; readonly reason: Reason; readonly output: string | null }
    >
  | Event<'model.responded', Reply>
  | Event<'model.failed', FailedAttempt>;

/** An event of a type that this page knows, in its place in the run. */
export type Happening = (CallHappening | RunHappening) & Pick<RunEvent, 'seq' | 'at'>;

/** The event with its members named. Of an unknown type it is none of `Happening`'s, and no `switch` over them takes it. */
export function happening(event: RunEvent): Happening {
  return event as unknown as Happening;
}

const ABOUT_CALLS: Readonly<Record<CallHappening['type'], true>> = {
  'tool.permitted': true,
  'tool.denied': true,
  'tool.held': true,
  'approval.requested': true,
  'approval.decided': true,
  'approval.expired': true,
  'approval.cancelled': true,
  'approval.reopened': true,
  'tool.started': true,
  'tool.awaiting_client': true,
  'tool.succeeded': true,
  'tool.failed': true,
  'tool.unknown': true,
  'tool.settled': true,
  'tool.cancelled': true,
};

/** Whether it moves a tool call. */
export function isAboutCall(event: Happening): event is Happening & CallHappening {
  return event.type in ABOUT_CALLS;
}
