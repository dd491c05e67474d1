'use client';

import { Clock } from 'lucide-react';
import { cn } from '../../../kit/cn';
import { hint } from '../../../kit/hint';
import { exactLocalTime } from '../../../kit/times';
import { useNow } from '../../../kit/use-now';
import { timeLeft } from '../wording/time-left';

interface TimeLeftLabelProps {
  /** RFC 3339. */
  expiresAt: string;
  /** `2:10 left` instead of `2:10`. */
  long?: boolean;
  className?: string;
}

/** How long there is to decide; it runs down by the second, and stands out in its last minutes. */
export function TimeLeftLabel({ expiresAt, long = false, className }: TimeLeftLabelProps) {
  const now = useNow(1_000);
  if (now === null) {
    return null;
  }
  const { text, urgency } = timeLeft(expiresAt, now);
  return (
    <span
      className={cn(
        'figures inline-flex items-center gap-1 whitespace-nowrap font-mono text-12',
        urgency === 'soon' ? 'font-medium text-amber' : 'text-muted',
        className,
      )}
      {...hint(`Expires ${exactLocalTime(Date.parse(expiresAt))}`)}
    >
      {urgency === 'soon' && <Clock aria-hidden className="size-3.5" />}
      {text}
      {long && urgency !== 'over' && ' left'}
    </span>
  );
}
