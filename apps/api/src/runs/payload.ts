import { canonicalJson, type JsonText, type JsonValue } from '@countersign/agent-core';
import { invalidContent } from '../platform/problem.js';

/** A run's metadata takes at most so much canonical JSON, and so does a subject. */
const CANONICAL_BYTES = 64 * 1024;

/**
 * A payload as canonical text; null where there is none. The body was read losslessly, so it is a tree of JSON values.
 * @throws Problem invalid_content at `path`, where it is too large.
 */
export function payload(value: unknown, path: string): JsonText | null {
  if (value === undefined) return null;
  const text = canonicalJson(value as JsonValue);
  if (Buffer.byteLength(text) > CANONICAL_BYTES) {
    throw invalidContent({ path, message: `takes at most ${CANONICAL_BYTES} bytes of JSON` });
  }
  return text;
}
