import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret as Standard Webhooks writes it. Shown once, stored sealed. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The Standard Webhooks headers of a message: HMAC-SHA-256 over `id.timestamp.body`. `body` is the exact text that is
 * sent, `now` milliseconds since the epoch, `id` must hold no full stop.
 * Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(secret: string, id: string, now: number, body: string): Record<string, string> {
  const timestamp = Math.floor(now / 1_000).toString();
  const key = Buffer.from(secret.slice(secret.startsWith(PREFIX) ? PREFIX.length : 0), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
