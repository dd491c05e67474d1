import type { FinishReason } from '../../../model/model-event.js';

const FINISH_WORDS: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'max_tokens'],
  // The limit of one request was reached; we do not ask for the rest.
  ['CONTINUATION', 'max_tokens'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
]);

/** What the model wrote could not be read as a call. It is a slip of sampling: the same request may well succeed. */
const SLIPS = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE']);

/** The closed set of endings: an empty or unknown word is an `error`. Google says STOP beside calls as well. */
export function finishReason(raw: string, hasCalls: boolean): FinishReason {
  const unified = FINISH_WORDS.get(raw) ?? 'error';
  return { unified: unified === 'stop' && hasCalls ? 'tool_calls' : unified, raw };
}

/** Whether a word says that there is no reply to be used, and that another attempt may give one. */
export function isSlip(raw: string): boolean {
  return SLIPS.has(raw);
}
