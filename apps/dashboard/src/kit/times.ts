const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3 min ago`, `in 2 h`; from 30 days on the date itself. Both in milliseconds since 1970. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance < 10 * SECOND) {
    return 'now';
  }
  if (distance >= 30 * DAY) {
    return new Date(at).toISOString().slice(0, 10);
  }
  const words = coarse(distance);
  return at <= now ? `${words} ago` : `in ${words}`;
}

function coarse(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h`;
  return `${Math.floor(milliseconds / DAY)} d`;
}

/** How long something took: `840 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s`;
  if (milliseconds < HOUR) return pair(milliseconds, MINUTE, 'min', SECOND, 's');
  if (milliseconds < DAY) return pair(milliseconds, HOUR, 'h', MINUTE, 'min');
  return pair(milliseconds, DAY, 'd', HOUR, 'h');
}

function pair(
  milliseconds: number,
  large: number,
  largeUnit: string,
  small: number,
  smallUnit: string,
): string {
  const rest = Math.floor((milliseconds % large) / small);
  const whole = `${Math.floor(milliseconds / large)} ${largeUnit}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallUnit}`;
}

/** What is left, as a clock: `2:10`, `1:04:09`; never below zero. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

/** `2026-10-21 11:30:00.250 GMT+2`: where the reader is, to the millisecond. */
export function exactLocalTime(at: number): string {
  const date = new Date(at);
  const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(date)
    .find((part) => part.type === 'timeZoneName')?.value;
  const local = new Date(at - date.getTimezoneOffset() * MINUTE).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 23)} ${zone ?? ''}`.trimEnd();
}
