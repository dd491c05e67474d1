'use client';

import { X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { useNow } from '../../../kit/use-now';
import { VirtualRows } from '../rows/virtual-rows';
import type { Story } from '../story/story';
import { axisOf } from './axis';
import { AxisHead } from './axis-head';
import { type TimelineRow, timeline } from './timeline';
import { TIMELINE_COLUMNS, TimelineItem } from './timeline-row';
import { useWidth } from './use-width';

/** How wide a wait is drawn that is cut short, in pixels. */
const BREAK_PX = 64;
const ROW = 28;
/** What has ended does not move. */
const STANDS_STILL_MS = 3_600_000;

interface TimelineViewProps {
  story: Story;
  alive: boolean;
  span: string | null;
  onOpen: (id: string) => void;
}

/** Where the time of a run went: its tree at the left, one time axis for all of it at the right. */
export function TimelineView({ story, alive, span, onOpen }: TimelineViewProps) {
  const rows = useMemo(() => timeline(story), [story]);
  const ticking = useNow(alive ? 1_000 : STANDS_STILL_MS) ?? 0;
  const now = Math.max(ticking, ...rows.slice(-1).map(({ from }) => from));
  const ruler = useRef<HTMLDivElement>(null);
  const width = useWidth(ruler);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const axis = useMemo(() => {
    const inSight = zoomed === null ? rows : rows.filter(({ turn }) => turn === zoomed);
    return inSight.length === 0 ? [] : axisOf(inSight, now, BREAK_PX / Math.max(BREAK_PX * 4, width));
  }, [rows, zoomed, now, width]);
  return (
    <VirtualRows
      label="Timeline"
      rows={rows}
      keyOf={({ key }) => key}
      estimate={() => ROW}
      isStop={({ opens }) => opens !== null}
      follow={alive}
      shown={span}
      {...(span === null ? {} : { onMove: ({ opens }: TimelineRow) => opens !== null && onOpen(opens) })}
      head={
        <div
          className={cn(TIMELINE_COLUMNS, 'sticky top-0 z-10 items-center border-line border-b bg-surface')}
        >
          <span className="text-12 text-faint max-md:hidden">
            {zoomed === null ? (
              'Span'
            ) : (
              <Button size="small" variant="ghost" className="-ml-2" onClick={() => setZoomed(null)}>
                <X aria-hidden />
                Turn {zoomed} alone
              </Button>
            )}
          </span>
          <span className="text-right text-12 text-faint max-md:hidden">Took</span>
          <div ref={ruler} className="max-md:col-span-2">
            <AxisHead axis={axis} width={width} />
          </div>
        </div>
      }
      foot={<div className="h-6" />}
    >
      {(row) => (
        <TimelineItem
          row={row}
          axis={axis}
          now={now}
          open={row.opens !== null && row.opens === span}
          zoomed={row.turn !== null && row.turn === zoomed}
          onOpen={onOpen}
          onZoom={setZoomed}
        />
      )}
    </VirtualRows>
  );
}
