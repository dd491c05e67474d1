import { cn } from './cn';

/** Where something will stand. Give it a size: `h-3 w-24`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-3 animate-breathe rounded-4 bg-pressed', className)} />;
}

const WIDTHS = ['w-2/5', 'w-3/5', 'w-1/2', 'w-1/3', 'w-3/4', 'w-2/3'];

interface SkeletonRowsProps {
  /** What is loading, for who cannot see it: `Loading runs`. */
  label: string;
  rows?: number;
  /** As the rows will have: on one line 40 pixels high, on two 60. On a phone lists have two. */
  lines?: 1 | 2;
  className?: string;
}

/** The rows of a list before they are there. What takes longer than a second says that it does. */
export function SkeletonRows({ label, rows = 12, lines = 1, className }: SkeletonRowsProps) {
  return (
    <div role="status" aria-label={label} className={cn('relative min-h-0 overflow-hidden', className)}>
      {Array.from({ length: rows }, (_, row) => {
        const width = WIDTHS[row % WIDTHS.length] ?? 'w-1/2';
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells these rows apart
        return lines === 1 ? <OneLine key={row} width={width} /> : <TwoLines key={row} width={width} />;
      })}
      <p className="absolute inset-x-0 top-20 mx-auto w-fit animate-late rounded-full border border-line bg-surface px-3 py-1 text-12 text-muted">
        Still loading…
      </p>
    </div>
  );
}

function OneLine({ width }: { width: string }) {
  return (
    <div className="flex h-10 items-center gap-6 border-line-soft border-b px-4">
      <Skeleton className="w-20 shrink-0" />
      <Skeleton className={width} />
      <Skeleton className="ml-auto w-12 shrink-0" />
    </div>
  );
}

function TwoLines({ width }: { width: string }) {
  return (
    <div className="flex h-15 flex-col justify-center gap-3 border-line-soft border-b px-4">
      <span className="flex items-center justify-between gap-6">
        <Skeleton className={width} />
        <Skeleton className="w-14 shrink-0" />
      </span>
      <span className="flex items-center justify-between gap-6">
        <Skeleton className="w-1/3" />
        <Skeleton className="w-8 shrink-0" />
      </span>
    </div>
  );
}
