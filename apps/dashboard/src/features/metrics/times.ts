import type { Unit } from './scope';

const day = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

const hour = (at: number): string => new Date(at).toISOString().slice(11, 16);

/** Under a chart: `21 Oct`, `09:00`; in UTC. Milliseconds since 1970. */
export function timeLabel(at: number, unit: Unit): string {
  return unit === 'hour' ? hour(at) : day.format(at);
}

/** In words: `Wed, Oct 21, 2026`, `Oct 21, 09:00 UTC`. */
export function timeWords(at: number, unit: Unit): string {
  return unit === 'hour' ? `${day.format(at)}, ${hour(at)} UTC` : weekday.format(at);
}
