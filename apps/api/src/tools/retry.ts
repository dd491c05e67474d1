const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;
/** Who asks for more patience than this is not asked again within the call. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Reads Retry-After: seconds, or an HTTP date against `now` (milliseconds since the epoch). Null where there is none or
 * it cannot be read. Never negative.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  // An HTTP date begins with the day's name: Date.parse alone would also take "-5" or "1.5".
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/**
 * How long to wait before the next attempt, in milliseconds: full jitter over a doubling back-off, and never less than
 * the server asked for. `attempts` were made; `random` gives 0 to 1.
 */
export function backoffMs(attempts: number, retryAfterMs: number | null, random: () => number): number {
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  const jittered = Math.floor(random() * ceiling);
  return Math.max(jittered, retryAfterMs ?? 0);
}

/** Waits. Resolves to true after `milliseconds`, to false as soon as `signal` is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (finished: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(finished);
    };
    const stop = () => end(false);
    const timer = setTimeout(() => end(true), milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
