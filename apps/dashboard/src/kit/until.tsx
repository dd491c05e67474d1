'use client';

import { hint } from './hint';
import { exactLocalTime, relativeTime } from './times';
import { useNow } from './use-now';

/** How far a moment is ahead, in milliseconds since 1970: `in 2 h`; what has passed is `now`. */
export function Until({ at }: { at: number }) {
  const now = useNow();
  return now === null ? null : (
    <span className="whitespace-nowrap" {...hint(exactLocalTime(at))}>
      {relativeTime(Math.max(at, now), now)}
    </span>
  );
}
