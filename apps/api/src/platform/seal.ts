import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Seals stored credentials with AES-256-GCM under COUNTERSIGN_SECRET. What a value is bound to (tenant, kind, name) is
 * associated data, so a sealed value that is copied to another row does not open there.
 *
 * Format: `v1.<nonce>.<ciphertext><tag>`, the two parts in base64url.
 */
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a sealed value belongs to. The tenant comes first, as everywhere (invariant I8). */
export interface SealContext {
  readonly tenant: string;
  readonly kind: 'provider_key' | 'tool_signing_secret' | 'tool_headers';
  readonly name: string;
}

/** A sealed value that cannot be opened. The message names the cause and holds no secret. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * Seals `plain` (any text) under `secret` (64 hex digits) for `context`. Two calls never give the same text.
 * Throws SealError where the secret is not 64 hex digits.
 */
export function seal(plain: string, secret: string, context: SealContext): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(context));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

/** Opens what `seal` made. Throws SealError for an unknown format, another secret, another context, or altered text. */
export function unseal(sealed: string, secret: string, context: SealContext): string {
  const [version, nonceText, bodyText, ...rest] = sealed.split('.');
  if (version !== VERSION || nonceText === undefined || bodyText === undefined || rest.length > 0) {
    throw new SealError(`A sealed ${context.kind} has a format that this version does not know.`);
  }
  const nonce = Buffer.from(nonceText, 'base64url');
  const body = Buffer.from(bodyText, 'base64url');
  if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) {
    throw new SealError(`A sealed ${context.kind} is damaged.`);
  }
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(context));
  decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
  try {
    const plain = decipher.update(body.subarray(0, body.length - TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    throw new SealError(
      `The ${context.kind} "${context.name}" cannot be opened: it was sealed under another COUNTERSIGN_SECRET, ` +
        'or it was moved or altered. Set the former secret, or store the credential again.',
    );
  }
}

function keyOf(secret: string): Buffer {
  if (!/^[0-9a-fA-F]{64}$/.test(secret)) throw new SealError('COUNTERSIGN_SECRET takes 64 hex digits.');
  return Buffer.from(secret, 'hex');
}

/** JSON keeps the parts apart, so that no two contexts give the same bytes. */
function associatedData(context: SealContext): Buffer {
  return Buffer.from(JSON.stringify([VERSION, context.tenant, context.kind, context.name]), 'utf8');
}
