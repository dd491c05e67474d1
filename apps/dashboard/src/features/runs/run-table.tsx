'use client';

import type { Run } from '@countersign/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useRowKeys } from '../../frame/use-row-keys';
import { cn } from '../../kit/cn';
import { useMedia } from '../../kit/use-media';
import { COLUMNS, RunRow } from './run-row';

const ROW = 36;
const ROW_OF_TWO_LINES = 60;

interface RunTableProps {
  runs: readonly Run[];
  /** The rows of the filters before: new ones are on their way. */
  stale: boolean;
  /** Reads further rows; undefined: there are none. */
  more: (() => void) | undefined;
  loadingMore: boolean;
}

/** As many rows as there are, of which only those in sight are drawn. */
export function RunTable({ runs, stale, more, loadingMore }: RunTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const wide = useMedia('(min-width: 48rem)');
  const height = wide ? ROW : ROW_OF_TWO_LINES;
  const virtual = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => runs[index]?.id ?? index,
    overscan: 12,
  });
  const { measure } = virtual;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured anew when their height changes
  useEffect(measure, [height, measure]);
  useRowKeys({
    group: 'Runs',
    noun: 'run',
    scroller,
    count: runs.length,
    isStop: () => true,
    start: -1,
    reveal: (index) => virtual.scrollToIndex(index),
  });

  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const nearEnd = lastShown >= runs.length - 15;
  useEffect(() => {
    if (nearEnd && !loadingMore) {
      more?.();
    }
  }, [nearEnd, loadingMore, more]);

  return (
    <div
      ref={scroller}
      aria-busy={stale}
      className={cn('min-h-0 flex-1 overflow-y-auto transition-opacity', stale && 'opacity-50')}
    >
      <table aria-label="Runs" aria-rowcount={more === undefined ? runs.length + 1 : -1} className="block">
        <thead className="sticky top-0 z-10 block bg-surface max-md:sr-only">
          <RunTableHead />
        </thead>
        <tbody className="relative block" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const run = runs[index];
            return run === undefined ? null : (
              <RunRow key={key} run={run} index={index} top={start} height={height} wide={wide} />
            );
          })}
        </tbody>
      </table>
      <p role="status" className="flex h-10 items-center justify-center text-12 text-faint">
        {more === undefined
          ? `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`
          : loadingMore
            ? 'Loading more'
            : ''}
      </p>
    </div>
  );
}

function RunTableHead() {
  return (
    <tr
      aria-rowindex={1}
      className={cn(COLUMNS, 'h-8 border-line border-b text-left text-12 text-faint [&_th]:font-normal')}
    >
      <th scope="col">Status</th>
      <th scope="col">Operation</th>
      <th scope="col">Agent</th>
      <th scope="col" className="max-lg:hidden">
        Subject
      </th>
      <th scope="col" className="text-right">
        Cost
      </th>
      <th scope="col" className="text-right max-lg:hidden">
        Tokens
      </th>
      <th scope="col" className="text-right">
        Duration
      </th>
      <th scope="col" className="text-right">
        Created
      </th>
    </tr>
  );
}
