'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useRowKeys } from '../../../frame/use-row-keys';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { useFollow } from './use-follow';

interface VirtualRowsProps<Row> {
  /** What the rows are: `Conversation`. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** About how high it is, in pixels, before it was drawn once. */
  estimate: (row: Row) => number;
  /** Whether `j` and `k` stop at it: it holds a `[data-stop]`. */
  isStop: (row: Row) => boolean;
  children: (row: Row) => ReactNode;
  /** Whether the end is kept in sight while rows arrive. */
  follow: boolean;
  /** The key of the row to bring into sight, whenever it becomes another one. */
  shown: string | null;
  /** `j` or `k` came to this row. */
  onMove?: (row: Row) => void;
  /** Stays on top while the rows scroll. */
  head?: ReactNode;
  /** Below the last row. */
  foot?: ReactNode;
}

/** As many rows as there are, each as high as it is, of which only those in sight are drawn. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { label, rows, keyOf, estimate, isStop, children, follow, shown, onMove, head, foot } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => at(rows, index, estimate) ?? 0,
    getItemKey: (index) => at(rows, index, keyOf) ?? index,
    overscan: 8,
  });
  const height = virtual.getTotalSize();
  const { away, toEnd } = useFollow(scroller, height, follow && shown === null);
  const takeFocus = useRowKeys({
    group: 'Run',
    noun: 'row',
    scroller,
    count: rows.length,
    isStop: (index) => at(rows, index, isStop) ?? false,
    start: rows.findIndex((row) => keyOf(row) === shown),
    reveal: (index) => virtual.scrollToIndex(index),
    moved: (index) => at(rows, index, (row) => onMove?.(row)),
  });

  const place = shown === null ? -1 : rows.findIndex((row) => keyOf(row) === shown);
  const known = place !== -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row, not another place of it, is brought into sight
  useEffect(() => {
    if (known) {
      virtual.scrollToIndex(place, { align: 'auto' });
      takeFocus(place);
    }
  }, [shown, known]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden overscroll-contain">
        {head}
        <ol aria-label={label} className="relative" style={{ height }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {at(rows, index, children)}
            </li>
          ))}
        </ol>
        {foot}
      </div>
      <Button
        onClick={toEnd}
        className={cn(
          '-translate-x-1/2 absolute bottom-3 left-1/2 shadow-overlay',
          !(follow && away) && 'hidden',
        )}
      >
        <ArrowDown aria-hidden />
        Follow the run
      </Button>
    </div>
  );
}

function at<Row, Result>(
  rows: readonly Row[],
  index: number,
  read: (row: Row) => Result,
): Result | undefined {
  const row = rows[index];
  return row === undefined ? undefined : read(row);
}
