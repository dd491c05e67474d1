import type { Usage } from '../../../model/model-event.js';
import type { UsageNames } from '../usage-buckets.js';

/** In `usageMetadata`. */
export const USAGE_NAMES: UsageNames = {
  input: 'promptTokenCount',
  toolUse: 'toolUsePromptTokenCount',
  cached: 'cachedContentTokenCount',
  output: 'candidatesTokenCount',
  thoughts: 'thoughtsTokenCount',
  total: 'totalTokenCount',
};

/** What a prompt costs that was blocked before any model saw it. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
