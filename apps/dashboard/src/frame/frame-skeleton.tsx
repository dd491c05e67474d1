import { Skeleton, SkeletonRows } from '../kit/skeleton';

/** The frame before it is known who looks at it. */
export function FrameSkeleton() {
  return (
    <div className="flex h-dvh">
      <div className="hidden w-50 shrink-0 flex-col gap-4 border-line border-r bg-ground p-4 lg:flex">
        <Skeleton className="mb-3 h-4 w-28" />
        <Skeleton className="w-20" />
        <Skeleton className="w-14" />
        <Skeleton className="w-18" />
      </div>
      <div className="min-w-0 flex-1 bg-surface">
        <div className="h-12 border-line border-b" />
        <SkeletonRows label="Loading" rows={14} />
      </div>
    </div>
  );
}
