import type { Usage } from '../../model/model-event.js';
import { type JsonObject, ownValue } from '../../shared/json.js';
import { countAt } from './wire-value.js';

/** The names by which an API of Google's reports its counts. */
export interface UsageNames {
  readonly input: string;
  readonly toolUse: string;
  readonly cached: string;
  readonly output: string;
  readonly thoughts: string;
  readonly total: string;
}

/**
 * What Google reports in our buckets, or null where it holds no count at all (a part of a stream may name the kind of
 * traffic alone). Input includes what was cached; what Google's own tools read stands beside the input, what was
 * thought beside the output. A count of zero may be left out. Should the total be more than all that, the rest counts
 * as output, the dearest.
 */
export function usageBuckets(reported: JsonObject | null, names: UsageNames): Usage | null {
  if (reported === null || !Object.values(names).some((name) => ownValue(reported, name) !== undefined)) {
    return null;
  }
  const count = (name: keyof UsageNames) => countAt(reported, names[name]) ?? 0;
  const input = count('input') + count('toolUse');
  return {
    inputTokens: input,
    cachedInputTokens: Math.min(count('cached'), input),
    cacheWriteTokens: 0,
    outputTokens: Math.max(count('output') + count('thoughts'), count('total') - input),
    reasoningTokens: count('thoughts'),
  };
}
