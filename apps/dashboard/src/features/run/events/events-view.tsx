'use client';

import type { RunEvent } from '@countersign/contracts';
import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback, useMemo, useRef, useState } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { useActions } from '../../../frame/actions';
import { CopyButton } from '../../../kit/copy';
import { FilterChoice } from '../../../kit/filter';
import { SearchInput } from '../../../kit/search-input';
import { VirtualRows } from '../rows/virtual-rows';
import { counted } from '../words';
import { EventItem } from './event-item';
import { narrowed, typesOf } from './narrow';

const ROW = 29;

interface EventsViewProps {
  events: readonly RunEvent[];
  alive: boolean;
}

/** The events of a run as they are stored. */
export function EventsView({ events, alive }: EventsViewProps) {
  const [{ type, text }, setFilters] = useQueryStates({ type: parseAsString, text: parseAsString });
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const search = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => narrowed(events, { type, text }), [events, type, text]);
  const begunAt = Date.parse(events[0]?.at ?? '');
  useActions('Run', [
    { label: 'Search the events', keys: '/', palette: false, run: () => search.current?.focus() },
  ]);
  const toggle = useCallback(
    (seq: number) =>
      setOpen((before) => {
        const after = new Set(before);
        if (!after.delete(seq)) {
          after.add(seq);
        }
        return after;
      }),
    [],
  );
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <SearchInput
          ref={search}
          label="Search the events"
          placeholder="Words of an event"
          value={text ?? ''}
          onChange={(next) => void setFilters({ text: next === '' ? null : next }, { history: 'replace' })}
          className="w-64 max-md:w-full"
        />
        <FilterChoice
          label="Type"
          value={type}
          options={typesOf(events).map(([value, count]) => ({ value, label: `${value} ${count}` }))}
          onChange={(next) => void setFilters({ type: next })}
        />
        <span role="status" className="ml-auto text-12 text-faint">
          {rows.length === events.length
            ? counted(rows.length, 'event')
            : `${rows.length} of ${counted(events.length, 'event')}`}
        </span>
        <CopyButton text={rows.map(writeExactly).join('\n')} label="Copy these events, one a line" />
      </div>
      <VirtualRows
        label="Events"
        rows={rows}
        keyOf={({ seq }) => String(seq)}
        estimate={() => ROW}
        isStop={() => true}
        follow={alive}
        shown={null}
        foot={<div className="h-6" />}
      >
        {(event) => (
          <EventItem event={event} begunAt={begunAt} open={open.has(event.seq)} onToggle={toggle} />
        )}
      </VirtualRows>
    </>
  );
}
