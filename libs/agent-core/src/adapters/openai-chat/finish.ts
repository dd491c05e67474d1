import type { FinishReason } from '../../model/model-event.js';

const FINISH_WORDS: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'max_tokens'],
  ['content_filter', 'content_filter'],
]);

/** The closed set of endings: an empty or unknown word is an `error`, and a refusal is one whatever the word says. */
export function finishReason(raw: string, refused: boolean): FinishReason {
  return { unified: refused ? 'refusal' : (FINISH_WORDS.get(raw) ?? 'error'), raw };
}
