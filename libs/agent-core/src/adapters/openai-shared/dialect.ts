import type { ModelChoice } from '../../model/model-choice.js';
import type { SchemaDialect } from '../../tools/translate-schema/index.js';

/** Whose schemas a server of OpenAI's APIs takes: OpenAI's, with its strict mode, or what any server takes. */
export function dialectOf(provider: ModelChoice['provider']): SchemaDialect {
  return provider === 'openai' ? 'openai' : 'openai-compatible';
}
