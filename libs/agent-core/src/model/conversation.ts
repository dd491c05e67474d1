import type { JsonText } from '../shared/brand.js';
import type { ModelChoice } from './model-choice.js';

/**
 * An item of a provider's reply that only that provider understands (reasoning, signatures). Replayed to the same
 * provider byte for byte and never to another (invariant I9).
 */
export interface RawItem {
  readonly provider: ModelChoice['provider'];
  readonly api: string;
  readonly json: JsonText;
}

/** A call as it stands in the conversation. `callId` is the provider's own id, or ours where it was missing or doubled. */
export interface ConversationCall {
  readonly callId: string;
  readonly tool: string;
  /** The arguments' text exactly as the model wrote it; it may not be JSON at all. */
  readonly arguments: string;
}

export type ConversationItem =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ConversationCall[];
      readonly raw: readonly RawItem[];
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
      readonly isError: boolean;
    };

/** What the model is told about a tool. Injected arguments are already taken out of the schema. */
export interface ToolSpecification {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, draft 2020-12, of an object. */
  readonly parameters: JsonText;
}

export type ToolChoice = 'auto' | 'required' | { readonly tool: string };

/** A whole request to a model, neutral of its provider. */
export interface ModelRequest {
  readonly choice: ModelChoice;
  /** Always set: admission needs an upper bound. */
  readonly maxOutputTokens: number;
  readonly instructions: string;
  readonly conversation: readonly ConversationItem[];
  readonly tools: readonly ToolSpecification[];
  readonly toolChoice: ToolChoice;
}
