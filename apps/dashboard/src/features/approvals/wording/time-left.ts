import { clock } from '../../../kit/times';

/** How much an expiry presses: `soon` from five minutes on. */
export type Urgency = 'calm' | 'soon' | 'over';

export interface TimeLeft {
  /** `2:10`, `23 min`, `4 h`, `3 d`. */
  readonly text: string;
  readonly urgency: Urgency;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SOON = 5 * MINUTE;

/** What is left until `expiresAt` (RFC 3339) at `now` (milliseconds since 1970). Rounded down: never too late. */
export function timeLeft(expiresAt: string, now: number): TimeLeft {
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return { text: 'expired', urgency: 'over' };
  if (left < SOON) return { text: clock(left), urgency: 'soon' };
  return { text: coarsely(left), urgency: 'calm' };
}

function coarsely(left: number): string {
  if (left < HOUR) return `${Math.floor(left / MINUTE)} min`;
  if (left < 2 * DAY) return `${Math.floor(left / HOUR)} h`;
  return `${Math.floor(left / DAY)} d`;
}
