import type { ModelEvent, ModelResponse, Usage } from '../../model/model-event.js';
import type { JsonValue } from '../../shared/json.js';

export type Delta = Extract<ModelEvent, { type: 'text_delta' | 'call_delta' }>;

/** The reducer of one reply of one of Google's APIs. */
export interface ReplyAssembly {
  /** What the reply cost, as far as that can be relied upon yet. */
  readonly usage: Usage | null;
  /** Takes one event of a stream, or a whole reply. Throws UnusableReply and GoogleErrorInReply, and nothing else. */
  add(event: JsonValue): readonly Delta[];
  /** The reply, once nothing more comes. Throws UnusableReply where it is none. */
  response(): ModelResponse;
}
