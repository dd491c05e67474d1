/** The time by the clock of Postgres, without asking it each time (invariant I2). */
export interface Clock {
  /** Milliseconds since the epoch; never earlier than what was given before. */
  now(): number;
  stop(): void;
}

const READ_EVERY_MS = 10_000;

/**
 * Anchors the process's monotonic clock to Postgres, and again every ten seconds. `read` gives Postgres time in
 * milliseconds. Rejects where the first reading fails; a later one that fails leaves the anchor as it is.
 */
export async function startClock(read: () => Promise<number>): Promise<Clock> {
  let offset = await readOffset(read);
  let latest = 0;
  const timer = setInterval(() => {
    readOffset(read).then(
      (again) => {
        offset = again;
      },
      () => undefined,
    );
  }, READ_EVERY_MS);
  timer.unref();
  return {
    now: () => {
      latest = Math.max(latest, Math.floor(performance.now() + offset));
      return latest;
    },
    stop: () => clearInterval(timer),
  };
}

/** How often it is read at a time: a busy machine holds some answers back, and seldom all of them. */
const READINGS = 4;

/**
 * Of the answer that came soonest, as if it had taken no time to come back: the process may be behind Postgres, by that
 * trip at most, and is never ahead. So nothing that Postgres notes itself is earlier than what came before it from here.
 */
async function readOffset(read: () => Promise<number>): Promise<number> {
  let shortest = { tookMs: Number.POSITIVE_INFINITY, offset: 0 };
  for (let reading = 0; reading < READINGS; reading += 1) {
    const before = performance.now();
    const instant = await read();
    const after = performance.now();
    const tookMs = after - before;
    if (tookMs < shortest.tookMs) shortest = { tookMs, offset: instant - after };
  }
  return shortest.offset;
}
