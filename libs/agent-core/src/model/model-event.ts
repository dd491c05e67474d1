import type { RawItem } from './conversation.js';

/** Why a reply ended: one closed word of ours, and the provider's own beside it. An unknown word is `error`, never `stop`. */
export interface FinishReason {
  readonly unified:
    | 'stop'
    | 'tool_calls'
    | 'max_tokens'
    | 'refusal'
    | 'content_filter'
    | 'pause'
    | 'context_overflow'
    | 'error';
  readonly raw: string;
}

/** Tokens of one reply. `inputTokens` counts everything sent, cached included, once; `outputTokens` includes reasoning. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export interface ProposedCall {
  /** The provider's id, or null where it sent none (or an empty one). */
  readonly providerCallId: string | null;
  readonly tool: string;
  /** The arguments' text as the model wrote it. An empty text counts as `{}`. */
  readonly arguments: string;
}

export interface ModelResponse {
  readonly responseId: string | null;
  /** The model's name as the provider reports it. */
  readonly model: string;
  readonly text: string;
  readonly refusal: string | null;
  readonly calls: readonly ProposedCall[];
  readonly finish: FinishReason;
  /** Null where the provider reported none: the reservation is settled then, as an estimate. */
  readonly usage: Usage | null;
  readonly raw: readonly RawItem[];
}

export type ModelFailureCode =
  | 'rate_limited'
  | 'overloaded'
  | 'timeout'
  | 'context_overflow'
  | 'bad_request'
  | 'unauthorized'
  | 'billing'
  /** The provider's filter would not have it: the run ends as a refused reply does. */
  | 'refused'
  | 'aborted'
  | 'unreadable';

export interface ModelFailure {
  readonly code: ModelFailureCode;
  /** For operators and the ledger; never shown to a model. Without secrets. */
  readonly message: string;
  /** The HTTP status where one arrived. Such a call costs nothing. */
  readonly status: number | null;
  /** True where nothing can have reached the provider (DNS, refused, blocked by the egress guard): costs nothing. */
  readonly neverSent: boolean;
  readonly retryAfterMs: number | null;
  /** Usage that arrived before the stream broke, where there was any. */
  readonly usage: Usage | null;
}

export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'call_delta'; readonly index: number; readonly tool: string }
  | { readonly type: 'response'; readonly response: ModelResponse }
  | { readonly type: 'failure'; readonly failure: ModelFailure };
