import { hash } from 'node:crypto';
import type { Digest, JsonText } from './brand.js';

/** `sha256:` and 64 hex digits over the UTF-8 bytes of a text, which should be canonical. */
export function digestOf(text: JsonText): Digest {
  return `sha256:${hash('sha256', text)}` as Digest;
}
