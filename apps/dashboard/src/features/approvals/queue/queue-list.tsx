'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { QueueItem } from './queue';
import { QueueRow, ROW_HEIGHT } from './queue-row';

/** How near to its end the list may be seen before more is read, in rows. */
const READ_AHEAD = 20;

interface QueueListProps {
  items: readonly QueueItem[];
  openId: string | null;
  onOpen: (id: string) => void;
  hasMore: boolean;
  onReadMore: () => void;
}

/** The rows that can be seen, of however many there are. What is open is kept in sight, and keeps the focus. */
export function QueueList({ items, openId, onOpen, hasMore, onReadMore }: QueueListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
    // A row beyond the open one stays in sight: where the next step leads.
    scrollPaddingStart: ROW_HEIGHT,
    scrollPaddingEnd: ROW_HEIGHT,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= items.length - READ_AHEAD) {
      onReadMore();
    }
  }, [hasMore, last, items.length, onReadMore]);

  const position = items.findIndex(({ id }) => id === openId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another open row moves the list, not a new one above
  useEffect(() => {
    const list = scroller.current;
    if (position < 0 || list === null) {
      return;
    }
    rows.scrollToIndex(position, { align: 'auto' });
    if (list.contains(document.activeElement)) {
      requestAnimationFrame(() => {
        list.querySelector<HTMLElement>(`[data-row="${openId}"]`)?.focus({ preventScroll: true });
      });
    }
  }, [openId]);

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const item = items[index];
          return (
            item && (
              <li
                key={key}
                className="absolute top-0 left-0 w-full"
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <QueueRow item={item} open={item.id === openId} onOpen={() => onOpen(item.id)} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
