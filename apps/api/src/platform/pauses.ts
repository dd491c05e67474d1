/** How long a computation may keep a process from everything else, in milliseconds. */
const LONGEST_MS = 10;

/**
 * Breath for a long computation: awaited between two of its parts, it lets a process answer others as soon as it has not
 * for some milliseconds.
 */
export function pauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
