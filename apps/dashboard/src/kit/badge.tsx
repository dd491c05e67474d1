import type { ReactNode } from 'react';
import { cn } from './cn';
import type { Tone } from './tone';
import { TONE_GROUND, TONE_TEXT } from './tone';

interface BadgeProps {
  tone?: Tone;
  children: ReactNode;
  className?: string;
}

/** A word that stands out a little: a role, a version, a verdict. */
export function Badge({ tone = 'neutral', children, className }: BadgeProps) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-4 px-1.5 font-medium text-11',
        TONE_GROUND[tone],
        TONE_TEXT[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
