import type { FinishReason } from '../../model/model-event.js';

const STOP_REASONS: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'max_tokens'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context_overflow'],
]);

/** The closed set of endings: an empty or unknown `stop_reason` is an `error`. */
export function finishReason(raw: string): FinishReason {
  return { unified: STOP_REASONS.get(raw) ?? 'error', raw };
}
