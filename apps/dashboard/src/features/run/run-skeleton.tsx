import { Skeleton, SkeletonRows } from '../../kit/skeleton';

/** The page before the run is there. */
export function RunSkeleton() {
  return (
    <>
      <div aria-hidden className="flex gap-8 border-line border-b px-4 py-4">
        <Skeleton className="w-24" />
        <Skeleton className="w-32" />
        <Skeleton className="w-20 max-md:hidden" />
        <Skeleton className="w-20 max-md:hidden" />
        <Skeleton className="w-16 max-md:hidden" />
      </div>
      <SkeletonRows label="Loading the run" rows={10} />
    </>
  );
}
