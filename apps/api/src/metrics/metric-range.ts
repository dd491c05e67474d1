import { invalidContent } from '../platform/problem.js';
import type { MetricRange } from './metrics.repository.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_DAYS = 366;
const MOST_DAYS_BY_HOUR = 31;
const USUAL_DAYS = 30;

/**
 * The hours that are asked for: RFC 3339, whole hours. Without an end they go as far as `now` (milliseconds); without a
 * beginning they hold thirty days, the last one included.
 * @throws Problem invalid_content
 */
export function rangeOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): MetricRange {
  const to = query.to === undefined ? nextHour(now) : Date.parse(query.to);
  const from = query.from === undefined ? firstHour(to) : Date.parse(query.from);
  if (from >= to) throw invalidContent({ path: 'from', message: 'lies before the end' });
  if (to - from > MOST_DAYS * DAY_MS) {
    throw invalidContent({ path: 'from', message: `lies at most ${MOST_DAYS} days before the end` });
  }
  return { from, to };
}

/** Hours are told apart for a month at most. @throws Problem invalid_content */
export function refuseManyHours({ from, to }: MetricRange): void {
  if (to - from > MOST_DAYS_BY_HOUR * DAY_MS) {
    throw invalidContent({
      path: 'from',
      message: `lies at most ${MOST_DAYS_BY_HOUR} days before the end, by the hour`,
    });
  }
}

function nextHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}

/** The beginning of the first of thirty days, the last of which is the one that ends with `to`, or holds it. */
function firstHour(to: number): number {
  return (Math.ceil(to / DAY_MS) - USUAL_DAYS) * DAY_MS;
}
