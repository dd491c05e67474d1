'use client';

import { cn } from './cn';
import { hint } from './hint';
import { duration, exactLocalTime, relativeTime } from './times';
import { useNow } from './use-now';

interface TimeProps {
  /** RFC 3339. */
  at: string;
  className?: string;
}

/** When something was, from now; the exact time on hover, and in what is copied. */
export function Time({ at, className }: TimeProps) {
  const now = useNow();
  const moment = Date.parse(at);
  return (
    <time
      dateTime={at}
      className={cn('spans relative whitespace-nowrap', className)}
      {...hint(`${now === null ? '' : exactLocalTime(moment)}\n${at}`)}
    >
      <span className="select-none">{now === null ? '' : relativeTime(moment, Math.max(now, moment))}</span>
      <span aria-hidden className="sr-only">
        {at}
      </span>
    </time>
  );
}

interface DurationProps {
  /** RFC 3339; null: it has not begun. */
  from: string | null;
  /** RFC 3339; null: it goes on, and the figure with it. */
  to: string | null;
  className?: string;
}

/** How long something took, or has taken so far. */
export function Duration({ from, to, className }: DurationProps) {
  const now = useNow(1_000);
  const end = to === null ? now : Date.parse(to);
  const shown = from === null || end === null ? '–' : duration(Math.max(0, end - Date.parse(from)));
  return <span className={cn('spans whitespace-nowrap', className)}>{shown}</span>;
}
