import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A reader that leaves this much unread gets no live text, and is dropped when it does not catch up in time. */
const UNREAD_BYTES = 256 * 1024;
const CATCH_UP_MS = 10_000;

/** True where a reader leaves so much unread that more must wait. */
export function isBehind(out: Writable): boolean {
  return out.writableLength > UNREAD_BYTES;
}

/** Waits for a slow reader; false where it was too slow and has been dropped, or is gone. */
export async function catchUp(out: Writable, signal: AbortSignal): Promise<boolean> {
  if (out.destroyed) return false;
  if (!isBehind(out)) return true;
  const timeout = AbortSignal.timeout(CATCH_UP_MS);
  try {
    await once(out, 'drain', { signal: AbortSignal.any([signal, timeout]) });
    return true;
  } catch {
    out.destroy();
    return false;
  }
}
