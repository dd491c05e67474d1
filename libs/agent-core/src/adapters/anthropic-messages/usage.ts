import type { Usage } from '../../model/model-event.js';
import { asCount, asObject, type WireObject } from '../wire/wire-value.js';

/**
 * The usage of a reply, or null where it has none that can be read. `input_tokens` leaves out what was read from a
 * cache and what was written to one: our count of what was sent holds all three, once. `output_tokens` includes
 * thinking.
 */
export function readUsage(usage: WireObject): Usage | null {
  const fresh = asCount(usage.input_tokens);
  const output = asCount(usage.output_tokens);
  if (fresh === null || output === null) return null;
  const cached = asCount(usage.cache_read_input_tokens) ?? 0;
  const written = asCount(usage.cache_creation_input_tokens) ?? 0;
  const thinking = asCount(asObject(usage.output_tokens_details)?.thinking_tokens) ?? 0;
  return {
    inputTokens: fresh + cached + written,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    outputTokens: Math.max(output, thinking),
    reasoningTokens: thinking,
  };
}

/** What a later event says of the usage replaces what an earlier one said, count by count: they are running totals. */
export function mergeUsage(before: WireObject, later: unknown): WireObject {
  const said = Object.entries(asObject(later) ?? {}).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(said) };
}
