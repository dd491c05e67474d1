import type { Usage } from './model-event.js';

/** More tokens than any model takes or writes in one call; a run's sums stay far below what a column holds. */
const MOST_TOKENS = 10_000_000;

/** The usage that a provider reported, or null where it cannot be true: such a call is settled as if none had come. */
export function plausibleUsage(usage: Usage | null): Usage | null {
  if (usage === null) return null;
  const counts = Object.values(usage) as readonly number[];
  return counts.every((count) => Number.isInteger(count) && count >= 0 && count <= MOST_TOKENS)
    ? usage
    : null;
}
