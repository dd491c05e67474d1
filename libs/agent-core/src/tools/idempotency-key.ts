import { createHash } from 'node:crypto';
import type { Digest } from '../shared/brand.js';
import type { EffectClass } from './tool-definition.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 26;

/**
 * The key under which an effect is sent, the same for each attempt at it (invariant I4). For `once` it belongs to the
 * call. For `idempotent` it belongs to what is to happen, so that an attempt that may have worked and a later call for
 * the same are one to the tool.
 */
export function idempotencyKeyOf(call: {
  readonly toolCallId: string;
  readonly tenant: string;
  readonly effect: EffectClass;
  readonly intentKey: string | null;
  readonly argumentsDigest: Digest;
}): string {
  if (call.effect !== 'idempotent' || call.intentKey === null)
    return call.toolCallId.replace(/^tcl_/, 'eff_');
  const digest = createHash('sha256')
    .update([call.tenant, call.intentKey, call.argumentsDigest].join('\n'))
    .digest();
  const characters = [...digest.subarray(0, CHARACTERS)].map((byte) => ALPHABET[byte & 31]);
  return `eff_${characters.join('')}`;
}
