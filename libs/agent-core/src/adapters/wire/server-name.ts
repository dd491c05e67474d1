import { createHash } from 'node:crypto';
import type { ModelChoice } from '../../model/model-choice.js';

/** Whose words a raw item holds: one provider's name can stand for many servers. A digest, as a URL may hold secrets. */
export function serverName(provider: ModelChoice['provider'], baseUrl: string): string {
  const digest = createHash('sha256').update(baseUrl.replace(/\/+$/, '')).digest('hex');
  return `${provider}:${digest.slice(0, 16)}`;
}
