const LONGEST_MS = 24 * 60 * 60 * 1000;

/** The part of a response's headers that is read here. */
export interface ReadableHeaders {
  get(name: string): string | null;
}

/**
 * How long a provider asks us to wait, in milliseconds: `retry-after-ms` (OpenAI, Azure) before `retry-after`, which
 * is seconds or an HTTP date (RFC 9110, 10.2.3), measured by the server's own `date` where it sent one. Null where
 * nothing usable arrived: zero, negative, unreadable, or longer than a day. `now` is the local time, ms since the epoch.
 */
export function retryAfterMs(headers: ReadableHeaders, now: number): number | null {
  const milliseconds = usable(decimal(headers.get('retry-after-ms')));
  if (milliseconds !== null) return milliseconds;
  const text = headers.get('retry-after');
  const seconds = decimal(text);
  if (seconds !== null) return usable(seconds * 1000);
  const until = Date.parse(text ?? '');
  const serverNow = Date.parse(headers.get('date') ?? '');
  return usable(until - (Number.isNaN(serverNow) ? now : serverNow));
}

function decimal(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

function usable(milliseconds: number | null): number | null {
  if (milliseconds === null || !(milliseconds > 0) || milliseconds > LONGEST_MS) return null;
  return Math.ceil(milliseconds);
}
