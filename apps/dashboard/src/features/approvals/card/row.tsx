import type { ReactNode } from 'react';
import { cn } from '../../../kit/cn';

interface RowProps {
  label: ReactNode;
  children: ReactNode;
  className?: string;
}

/** One line of a card: what it is about, and what there is to say. */
export function Row({ label, children, className }: RowProps) {
  return (
    <section
      className={cn(
        'grid gap-x-4 gap-y-1 border-line border-t px-5 py-3 md:grid-cols-[72px_minmax(0,1fr)]',
        className,
      )}
    >
      <h3 className="text-12 text-faint leading-5">{label}</h3>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
