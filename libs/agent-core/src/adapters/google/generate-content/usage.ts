import type { Usage } from '../../../model/model-event.js';
import { type JsonObject, ownValue } from '../../../shared/json.js';
import { countAt } from '../wire-value.js';

/**
 * Google's `usageMetadata` in our buckets, or null where it holds no count (a part of a stream may name the kind of
 * traffic alone). `promptTokenCount` includes what was cached; what its own tools read (`toolUsePromptTokenCount`) and
 * what it thought (`thoughtsTokenCount`) stand beside prompt and candidates. A count of zero is left out by Google.
 * Should the total be more than all that, the rest counts as output, the dearest.
 */
export function readUsage(metadata: JsonObject | null): Usage | null {
  if (metadata === null || !NAMES.some((name) => ownValue(metadata, name) !== undefined)) return null;
  const count = (name: (typeof NAMES)[number]) => countAt(metadata, name) ?? 0;
  const input = count('promptTokenCount') + count('toolUsePromptTokenCount');
  const output = count('candidatesTokenCount') + count('thoughtsTokenCount');
  return {
    inputTokens: input,
    cachedInputTokens: Math.min(count('cachedContentTokenCount'), input),
    cacheWriteTokens: 0,
    outputTokens: Math.max(output, count('totalTokenCount') - input),
    reasoningTokens: count('thoughtsTokenCount'),
  };
}

const NAMES = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
] as const;

/** What a prompt costs that was blocked before any model saw it. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
