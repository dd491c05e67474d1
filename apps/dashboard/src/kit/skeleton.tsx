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
  className?: string;
}

/** The rows of a list before they are there. */
export function SkeletonRows({ label, rows = 12, className }: SkeletonRowsProps) {
  return (
    <div role="status" aria-label={label} className={className}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells these rows apart
        <div key={row} className="flex h-10 items-center gap-6 border-line-soft border-b px-4">
          <Skeleton className="w-20 shrink-0" />
          <Skeleton className={WIDTHS[row % WIDTHS.length] ?? 'w-1/2'} />
          <Skeleton className="ml-auto w-12 shrink-0" />
        </div>
      ))}
    </div>
  );
}
