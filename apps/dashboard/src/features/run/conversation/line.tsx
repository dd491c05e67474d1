import type { ReactNode } from 'react';
import { cn } from '../../../kit/cn';

interface LineProps {
  /** Who speaks; null: it belongs to what was said before. */
  who: ReactNode;
  children: ReactNode;
  /** At the end of the line. */
  aside?: ReactNode;
  className?: string;
}

/** What somebody said: who at the left, on a phone above it. */
export function Line({ who, children, aside, className }: LineProps) {
  return (
    <div
      className={cn(
        'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 py-2 md:grid-cols-[64px_minmax(0,1fr)_auto]',
        className,
      )}
    >
      <div className={cn('text-12 text-faint leading-5', who === null && 'max-md:hidden')}>{who}</div>
      <div
        className={cn('min-w-0 max-md:order-last max-md:col-span-2', aside === undefined && 'md:col-span-2')}
      >
        {children}
      </div>
      {aside !== undefined && <div className="text-12 leading-5">{aside}</div>}
    </div>
  );
}
