import type { ReactNode } from 'react';
import { cn } from '../../kit/cn';

interface RowProps {
  title: string;
  /** Key figures, beside the title. */
  figures?: ReactNode;
  children: ReactNode;
}

/** One of the rows of the page: a heading with its figures, and panels under it. */
export function Row({ title, figures, children }: RowProps) {
  return (
    <section aria-label={title} className="border-line border-b last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1 px-4 pt-4 pb-3">
        <h2 className="font-semibold text-14">{title}</h2>
        {figures}
      </div>
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 px-4 pb-5 lg:grid-cols-12">{children}</div>
    </section>
  );
}

interface PanelProps {
  title: string;
  /** At the end of the title's line. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A part of a row, under its own small title. */
export function Panel({ title, aside, className, children }: PanelProps) {
  return (
    <section aria-label={title} className={cn('flex min-w-0 flex-col lg:col-span-4', className)}>
      <div className="mb-2 flex h-6 items-center gap-2">
        <h3 className="flex-1 text-12 text-muted">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

interface FigureProps {
  label: string;
  children: ReactNode;
}

/** A number with its name. */
export function Figure({ label, children }: FigureProps) {
  return (
    <p className="flex items-baseline gap-1.5">
      <span className="font-medium">{children}</span>
      <span className="text-12 text-faint">{label}</span>
    </p>
  );
}

/** Nothing to show, in one line. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="py-1 text-faint">{children}</p>;
}
