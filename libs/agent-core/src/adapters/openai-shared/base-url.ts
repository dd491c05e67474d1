import type { ModelAccess } from '../../model/model.js';
import type { ModelChoice } from '../../model/model-choice.js';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Where the API is: OpenAI's own where none is set, and empty for other servers, which have no address of their own. */
export function baseUrlOf(provider: ModelChoice['provider'], access: ModelAccess): string {
  return access.baseUrl || (provider === 'openai' ? OPENAI_BASE_URL : '');
}
