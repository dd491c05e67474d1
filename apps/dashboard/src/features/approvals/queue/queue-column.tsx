'use client';

import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { Empty, ErrorState } from '../../../kit/notice';
import { SkeletonRows } from '../../../kit/skeleton';
import type { Queue } from '../data/use-queue';
import type { QueueFilters, QueueItem } from './queue';
import { QueueFiltersBar } from './queue-filters';
import { QueueList } from './queue-list';

interface QueueColumnProps {
  queue: Queue;
  /** As they are drawn; null until the queue was read. */
  items: readonly QueueItem[] | null;
  filters: QueueFilters;
  /** The id of what is open. */
  open: string | null;
  onFilter: (change: Partial<QueueFilters>) => void;
  onOpen: (id: string) => void;
}

const NO_FILTERS: QueueFilters = { tool: null, agent: null, within: null };

/** Everything that waits, and what it is narrowed to. */
export function QueueColumn({ queue, items, filters, open, onFilter, onOpen }: QueueColumnProps) {
  const filtered = Object.values(filters).some((filter) => filter !== null);
  const nothing = items?.length === 0;
  const unread = items === null && queue.error !== null;
  return (
    <section
      aria-label="Queue"
      className={cn(
        'flex min-h-0 w-full shrink-0 flex-col border-line md:w-72 md:border-r lg:w-80 min-[90rem]:w-90',
        open !== null && 'max-md:hidden',
        (nothing || unread) && open === null && 'md:w-full md:border-r-0 lg:w-full min-[90rem]:w-full',
      )}
    >
      {!unread && (!nothing || filtered) && <QueueFiltersBar filters={filters} onChange={onFilter} />}
      {items === null ? (
        <Unread queue={queue} />
      ) : nothing ? (
        <NothingWaits filtered={filtered} onClear={() => onFilter(NO_FILTERS)} />
      ) : (
        <QueueList
          items={items}
          openId={open}
          onOpen={onOpen}
          hasMore={queue.hasMore}
          onReadMore={queue.readMore}
        />
      )}
    </section>
  );
}

function Unread({ queue: { error, retry } }: { queue: Queue }) {
  return error === null ? (
    <SkeletonRows label="Loading the queue" lines={2} />
  ) : (
    <ErrorState
      title="The queue could not be read"
      detail={error.detail}
      requestId={error.requestId}
      retry={retry}
    />
  );
}

function NothingWaits({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty title="Nothing like this waits" actions={<Button onClick={onClear}>Clear the filters</Button>}>
      Other requests may.
    </Empty>
  ) : (
    <Empty title="Nothing waits for you">
      When an agent asks for something that takes a signature, it appears here by itself.
    </Empty>
  );
}
