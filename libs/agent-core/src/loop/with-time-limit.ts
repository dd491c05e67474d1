/**
 * Gives `work` a signal that is aborted together with `signal`, or after so many milliseconds. Timer and listener end
 * with the work: AbortSignal.timeout keeps its timer until it is due, and AbortSignal.any leaves an entry in `signal`
 * for each call that a long run makes.
 */
export async function withTimeLimit<Result>(
  signal: AbortSignal,
  milliseconds: number,
  work: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limited = new AbortController();
  const abort = () => limited.abort();
  const timer = setTimeout(abort, milliseconds);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
