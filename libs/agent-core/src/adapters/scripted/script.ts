import type { ModelRequest } from '../../model/conversation.js';
import type { FinishReason, ModelFailure, Usage } from '../../model/model-event.js';

export interface ScriptedCall {
  readonly tool: string;
  /** An object, or the arguments' raw text as a model might write it, broken or not. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  /** Default `call_<n>`, by position in the conversation; null plays a provider that sends none. */
  readonly id?: string | null;
}

/** What a scripted model answers. Everything left out is filled in from the rest, the same way each time. */
export interface ScriptedReply {
  readonly text?: string;
  /** Pieces that watchers see arriving; default: the whole text at once. */
  readonly deltas?: readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** Default: `refusal` with a refusal, `tool_calls` with calls, else `stop`. */
  readonly finish?: FinishReason['unified'];
  readonly refusal?: string;
  /** Default: derived from bytes; null plays a provider that reports none. */
  readonly usage?: Usage | null;
  /** The call fails instead. */
  readonly failure?: Partial<ModelFailure> & Pick<ModelFailure, 'code'>;
  /** How long the model thinks, in milliseconds. */
  readonly delayMs?: number;
}

/** Pure over the conversation, so that it plays the same after a crash. */
export type Script = (request: ModelRequest) => ScriptedReply;
