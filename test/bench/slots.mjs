/** @typedef {{ seconds: number, perSecond: number, p50: number, p95: number }} Pace milliseconds where it is no rate */

/**
 * Does `count` pieces of work, `concurrency` at once: a slot begins the next when its last one has ended.
 *
 * @param {{ count: number, concurrency: number }} size
 * @param {(index: number) => Promise<unknown>} work
 * @returns {Promise<Pace>}
 */
export async function inSlots({ count, concurrency }, work) {
  /** @type {number[]} */
  const took = [];
  let next = 0;
  const slot = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const began = performance.now();
      await work(index);
      took.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, slot));
  const seconds = (performance.now() - began) / 1_000;
  took.sort((a, b) => a - b);
  const share = (/** @type {number} */ part) =>
    took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;
  return { seconds, perSecond: count / seconds, p50: share(0.5), p95: share(0.95) };
}
