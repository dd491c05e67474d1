'use client';

import { hint } from '../../kit/hint';
import { exactLocalTime, relativeTime } from '../../kit/times';
import { useNow } from '../../kit/use-now';

/** How far a moment is ahead, in milliseconds since 1970: `in 2 h`; what has passed is `now`. */
export function Until({ at }: { at: number }) {
  const now = useNow();
  return now === null ? null : (
    <span className="whitespace-nowrap" {...hint(exactLocalTime(at))}>
      {relativeTime(Math.max(at, now), now)}
    </span>
  );
}
