import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'csk_';
const SHOWN = 12;

/** A key as it is made: the text goes to its owner once, the rest is stored. */
export interface NewApiKey {
  readonly text: string;
  /** SHA-256 of the text, as hex. The text has 256 random bits, so no salt or slow hash is needed. */
  readonly hash: string;
  /** The first characters, to recognise the key by. */
  readonly prefix: string;
}

export function newApiKey(): NewApiKey {
  const text = PREFIX + randomBytes(32).toString('base64url');
  return { text, hash: createHash('sha256').update(text).digest('hex'), prefix: text.slice(0, SHOWN) };
}
