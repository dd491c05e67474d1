import type { Durations } from '@countersign/contracts';

/** How often something took as long as a place of the histogram says: see duration_place in prisma/migrations. */
export interface PlaceCount {
  readonly place: number;
  readonly count: number;
}

const PARTS = 32;
/** Below this a place is one millisecond. */
const EXACT_BELOW = 2 * PARTS;

/** The middle of a place, in milliseconds: at most 1/64 away from whatever is counted in it. */
export function middleOf(place: number): number {
  if (place < EXACT_BELOW) return place;
  const power = Math.floor(place / PARTS) - 1;
  const width = 2 ** power;
  const lowest = (place - power * PARTS) * width;
  return Math.round(lowest + (width - 1) / 2);
}

/** Percentiles by nearest rank: the smallest place that at least so many of a hundred lie in or below. */
export function durationsOf(counts: readonly PlaceCount[]): Durations {
  const places = [...counts].sort((a, b) => a.place - b.place);
  const count = places.reduce((sum, each) => sum + each.count, 0);
  const percentile = (percent: number): number | null => {
    const rank = Math.ceil((count * percent) / 100);
    let below = 0;
    for (const each of places) {
      below += each.count;
      if (below >= rank) return middleOf(each.place);
    }
    return null;
  };
  return { count, p50Ms: percentile(50), p95Ms: percentile(95), p99Ms: percentile(99) };
}
