import type { ModelRequest } from '../model/conversation.js';
import type { PreparedCall } from '../model/model.js';
import type { ModelChoice } from '../model/model-choice.js';
import type { ModelEvent, ModelFailure, Usage } from '../model/model-event.js';
import type { Governance, IntentRecord } from '../run/decide-context.js';
import type { Run } from '../run/run.js';
import type { RunEvent, StoredEvent } from '../run/run-event.js';
import type { ToolCall } from '../run/tool-call.js';
import type { Digest, Instant, JsonText, UsdText } from '../shared/brand.js';
import type { ToolDefinition } from '../tools/tool-definition.js';

/** What is known of an attempt at a model before it is sent: the sweeper's `model.failed` says it of a lost worker. */
export type AttemptHead = Pick<
  Extract<RunEvent, { type: 'model.failed' }>,
  | 'modelCallId'
  | 'choice'
  | 'provider'
  | 'api'
  | 'model'
  | 'requestDigest'
  | 'revision'
  | 'priceVersion'
  | 'startedAt'
>;

/** A reservation of `amountUsd` in every scope that has a budget, for one model call (invariant I5). */
export interface ReservationRequest extends AttemptHead {
  readonly amountUsd: UsdText;
}

/** Gives back what was reserved for a model call and books what it cost. */
export interface Settlement {
  readonly modelCallId: string;
  readonly costUsd: UsdText;
}

/** An effect to be intended together with its `tool.started` event. */
export interface Intention {
  readonly toolCallId: string;
  readonly idempotencyKey: string;
  /** The executed intent, and the proposed one where an edit changed it. */
  readonly intentKeys: readonly string[];
  readonly argumentsDigest: Digest;
}

/** One durable step: everything in it is committed in one transaction, or nothing is. */
export interface Step {
  readonly events: readonly StoredEvent[];
  readonly before: Run;
  readonly after: Run;
  readonly settle: Settlement | null;
  readonly reserve: ReservationRequest | null;
  readonly intentions: readonly Intention[];
  /** The revision of the rules that the events were decided by; null where they only tell what has happened. */
  readonly governanceRevision: number | null;
}

/** A budget of this scope and period, or the run's own, where both are null. */
export interface SpentBudget {
  readonly scope: string | null;
  readonly period: string | null;
  readonly limitUsd: UsdText;
  readonly spentUsd: UsdText;
}

export type StepOutcome =
  /** `reservation` is null where none was asked. A refused reservation does not undo the events. */
  | {
      readonly type: 'committed';
      readonly now: Instant;
      readonly reservation: 'granted' | 'blocked_by_reservations' | 'blocked_by_spending' | null;
      /** The budget that is spent so far that the reservation does not fit. */
      readonly blockedBy: SpentBudget | null;
    }
  /** Somebody else appended (a decision, a cancellation): load what is new and decide again. */
  | { readonly type: 'moved' }
  /** The lease is no longer ours: stop, touch nothing (invariant I2). */
  | { readonly type: 'lost' }
  /** The rules changed, or the tenant was suspended: load them and decide again. */
  | { readonly type: 'governance_changed' }
  /** An intent of the step is held by another call: look it up and decide again. */
  | { readonly type: 'intent_taken' };

export interface LedgerPort {
  commit(step: Step): Promise<StepOutcome>;
  /** Events with a number above `seq`, oldest first. */
  eventsAfter(run: Pick<Run, 'id' | 'tenant'>, seq: number): Promise<readonly StoredEvent[]>;
}

export interface GovernancePort {
  /** The rules as of now; `suspended` makes the worker hand the run back. */
  current(tenant: string): Promise<Governance & { readonly suspended: boolean }>;
  /** What is known of these intents. Intents nobody holds are absent. */
  intents(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, IntentRecord>>;
}

export interface PricedModel {
  readonly choice: ModelChoice;
  readonly maxOutputTokens: number;
  readonly priceVersion: string;
  /** An upper bound: bytes as tokens, at the dearest rate. */
  worstCaseUsd(requestBytes: number): UsdText;
  costUsd(usage: Usage): UsdText;
}

/** A request that is encoded, priced and has its credential: ready to be reserved for and sent once. */
export interface PreparedModelCall {
  readonly type: 'prepared';
  readonly priced: PricedModel;
  readonly call: PreparedCall;
  readonly api: string;
  readonly revision: { readonly adapter: string; readonly sdk: string };
  readonly breaker: ModelBreaker;
}

/** The circuit breaker of a model, by its address and whose credential it is called with. */
export interface ModelBreaker {
  /** As BreakerPort.admit, for an attempt that is about to be reserved for and sent. */
  admit(): Promise<Instant | null>;
  /** Tells how the attempt ended (null: with a reply). Gives until when the breaker is open after it, or null. Never rejects. */
  report(failure: ModelFailure | null): Promise<Instant | null>;
}

export interface ModelPort {
  /**
   * Resolves price and credential and encodes the request, or says why that cannot be, or until when the model's circuit
   * breaker holds every call back.
   */
  prepare(
    run: Pick<Run, 'tenant' | 'id'>,
    choice: ModelChoice,
    request: Omit<ModelRequest, 'choice' | 'maxOutputTokens'>,
  ): Promise<
    | PreparedModelCall
    | { readonly type: 'unavailable'; readonly message: string }
    | { readonly type: 'held_back'; readonly until: Instant }
  >;
  /** Live text for those who watch; losing it is harmless. */
  publishDelta(run: Run, event: Extract<ModelEvent, { type: 'text_delta' | 'call_delta' }>): void;
}

/** One execution of a tool, as it goes out. */
export interface ToolInvocation {
  readonly tenant: string;
  readonly runId: string;
  readonly operationId: string;
  readonly subject: JsonText | null;
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  readonly arguments: JsonText;
  readonly idempotencyKey: string;
}

/** What came of a call that ran, or surely did not. */
export type KnownOutcome =
  | { readonly type: 'succeeded'; readonly output: JsonText; readonly attempts: number }
  /** `detail` may be read by the model, as untrusted text. */
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly detail: string;
      readonly infrastructure: boolean;
      readonly attempts: number;
    };

/** What came of an execution. Executors never throw. */
export type ToolOutcome =
  | KnownOutcome
  /** Sent, and nobody can say whether it ran. `infrastructure`: because the tool's side was in trouble. */
  | {
      readonly type: 'unknown';
      readonly detail: string;
      readonly infrastructure: boolean;
      readonly attempts: number;
    };

export type Reconciliation =
  | { readonly type: 'happened'; readonly output: JsonText }
  | { readonly type: 'did_not_happen' }
  | { readonly type: 'unknown'; readonly detail: string };

export type FactsOutcome =
  | { readonly type: 'ok'; readonly facts: JsonText; readonly message: string | null }
  | { readonly type: 'changed'; readonly facts: JsonText; readonly message: string }
  | { readonly type: 'unavailable'; readonly detail: string };

export interface ToolPort {
  /**
   * What a read gives that is computed within this process, from the call alone: nobody outside can tell whether or
   * when it ran. Null: the call reaches further and must be executed.
   */
  compute(invocation: ToolInvocation): KnownOutcome | null;
  /**
   * Looks up what a call needs to be sent. It rejects where that cannot be read now (Postgres away): nothing was
   * intended yet, so nothing is in doubt.
   */
  prepare(invocation: ToolInvocation): Promise<PreparedTool>;
}

/** A call that has all it needs: nothing is looked up between its intention and its sending (invariant I4). */
export interface PreparedTool {
  /** `single`: it is not sent again, whatever its tool allows. */
  execute(signal: AbortSignal, attempts?: 'single'): Promise<ToolOutcome>;
  /** Asks the tool's `reconcile`; only called where the definition has one. */
  reconcile(signal: AbortSignal): Promise<Reconciliation>;
  /** Asks the tool's `check`; only called where the definition has one. */
  check(signal: AbortSignal): Promise<FactsOutcome>;
}

/** The circuit breakers of tools. What they count is told to them where calls are performed. */
export interface BreakerPort {
  /** Until when no call of the tool is let through; null where one may be tried. */
  openUntil(tenant: string, tool: string): Promise<Instant | null>;
  /**
   * Lets a call through that is about to be sent: null. Else until when it is held back: where a breaker is half-open,
   * exactly one call is let through, however often it asks.
   */
  admit(invocation: ToolInvocation): Promise<Instant | null>;
}

export interface LoopPorts {
  readonly ledger: LedgerPort;
  readonly governance: GovernancePort;
  readonly models: ModelPort;
  readonly tools: ToolPort;
  readonly breakers: BreakerPort;
  /** The clock of Postgres, kept by a monotonic clock between readings (invariant I2). */
  readonly now: () => Instant;
  /** A new id with this prefix. */
  readonly newId: (prefix: 'tcl' | 'mdl') => string;
  /** Aborted when the lease is lost or the worker must stop at once. */
  readonly signal: AbortSignal;
  /** Why the worker wants the run handed back at the next step boundary; null where it does not. */
  readonly shouldYield: () => 'shutdown' | 'yielded' | null;
}
