import type { Usage } from '../../model/model-event.js';
import { asCount, asObject, type WireObject } from '../wire/wire-value.js';

/**
 * The usage of a chunk or a whole reply, or null where it has none that can be read. Groq reports it under `x_groq`,
 * Moonshot within the choice. `prompt_tokens` includes what was cached, `completion_tokens` includes reasoning; where it
 * does not (xAI, and Google's compatible API, which names no reasoning at all), the total does: what it has beyond the
 * two counts as output, the dearest.
 */
export function readUsage(body: WireObject, choice: WireObject | null): Usage | null {
  const usage = asObject(body.usage) ?? asObject(asObject(body.x_groq)?.usage) ?? asObject(choice?.usage);
  const input = asCount(usage?.prompt_tokens);
  const output = asCount(usage?.completion_tokens);
  if (usage === null || input === null || output === null) return null;
  const promptDetails = asObject(usage.prompt_tokens_details);
  const reasoning = asCount(asObject(usage.completion_tokens_details)?.reasoning_tokens) ?? 0;
  const cached = asCount(promptDetails?.cached_tokens) ?? asCount(usage.prompt_cache_hit_tokens) ?? 0;
  const total = asCount(usage.total_tokens) ?? 0;
  return {
    inputTokens: input,
    cachedInputTokens: Math.min(cached, input),
    cacheWriteTokens: Math.min(asCount(promptDetails?.cache_write_tokens) ?? 0, input),
    outputTokens: Math.max(output, reasoning, total - input),
    reasoningTokens: reasoning,
  };
}
