import type { FinishReason } from '../../model/model-event.js';
import { asObject, asText, type WireObject } from '../wire/wire-value.js';

const INCOMPLETE: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['max_output_tokens', 'max_tokens'],
  ['content_filter', 'content_filter'],
]);

/**
 * The closed set of endings of a response: `completed` is a normal one, or a refusal where the model says so;
 * `incomplete` has a reason beside it. Every other word, or none, is an `error`.
 */
export function finishReason(
  response: WireObject,
  reply: { refused: boolean; calls: boolean },
): FinishReason {
  const status = asText(response.status);
  if (status === 'completed') {
    const ending = reply.calls ? 'tool_calls' : 'stop';
    return { unified: reply.refused ? 'refusal' : ending, raw: status };
  }
  const reason = asText(asObject(response.incomplete_details)?.reason);
  const raw = status === 'incomplete' && reason !== '' ? reason : status;
  return { unified: status === 'incomplete' ? (INCOMPLETE.get(reason) ?? 'error') : 'error', raw };
}
