import type { Usage } from '../../model/model-event.js';
import { asCount, asObject } from '../wire/wire-value.js';

/**
 * The usage of a response, or null where it has none that can be read. `input_tokens` includes what was cached,
 * `output_tokens` includes reasoning. Should the total be more than both, the rest counts as output, the dearest.
 */
export function readUsage(value: unknown): Usage | null {
  const usage = asObject(value);
  const input = asCount(usage?.input_tokens);
  const output = asCount(usage?.output_tokens);
  if (input === null || output === null) return null;
  const total = asCount(usage?.total_tokens) ?? 0;
  const details = asObject(usage?.input_tokens_details);
  const reasoning = asCount(asObject(usage?.output_tokens_details)?.reasoning_tokens) ?? 0;
  return {
    inputTokens: input,
    cachedInputTokens: Math.min(asCount(details?.cached_tokens) ?? 0, input),
    cacheWriteTokens: Math.min(asCount(details?.cache_write_tokens) ?? 0, input),
    outputTokens: Math.max(output, reasoning, total - input),
    reasoningTokens: reasoning,
  };
}
