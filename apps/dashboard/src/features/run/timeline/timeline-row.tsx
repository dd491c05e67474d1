import { Clock, Cpu, Wrench } from 'lucide-react';
import { memo } from 'react';
import { cn } from '../../../kit/cn';
import { hint } from '../../../kit/hint';
import { InertText } from '../../../kit/inert-text';
import { duration } from '../../../kit/times';
import { TONE_TEXT } from '../../../kit/tone';
import type { AxisPart } from './axis';
import { Bars } from './bars';
import type { TimelineRow } from './timeline';

/** The same for the head and for each row. */
export const TIMELINE_COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_auto] px-4 md:grid-cols-[240px_80px_minmax(0,1fr)] md:gap-x-3';

interface TimelineItemProps {
  row: TimelineRow;
  axis: readonly AxisPart[];
  now: number;
  open: boolean;
  onOpen: (id: string) => void;
  /** Whether the axis is that of its turn alone. */
  zoomed: boolean;
  /** Fits the axis to this turn, or back to the run where it is that already. */
  onZoom: (turn: number | null) => void;
}

/** A line of the tree with its stretches beside it; on a phone below it. */
export const TimelineItem = memo(function TimelineItem({
  row,
  axis,
  now,
  open,
  onOpen,
  zoomed,
  onZoom,
}: TimelineItemProps) {
  const { opens, key, kind } = row;
  const look = cn(
    TIMELINE_COLUMNS,
    'w-full items-center text-left md:h-7',
    kind === 'turn' ? 'max-md:pt-2' : 'max-md:pb-1',
    open && 'bg-accent-soft',
  );
  const cells = <Cells row={row} axis={axis} now={now} />;
  if (kind === 'turn') {
    return (
      <button
        type="button"
        aria-pressed={zoomed}
        onClick={() => onZoom(zoomed ? null : row.turn)}
        className={cn(look, 'ring-inside hover:bg-hover')}
        {...hint(zoomed ? 'Fit the axis to the whole run' : 'Fit the axis to this turn')}
      >
        {cells}
      </button>
    );
  }
  return opens === null ? (
    <div className={look}>{cells}</div>
  ) : (
    <button
      type="button"
      data-stop
      data-id={key}
      aria-pressed={open}
      onClick={() => onOpen(opens)}
      className={cn(look, 'ring-inside', !open && 'hover:bg-hover')}
    >
      {cells}
    </button>
  );
});

const INDENTS = ['', 'pl-4', 'pl-8'];

function Cells({ row, axis, now }: Pick<TimelineItemProps, 'row' | 'axis' | 'now'>) {
  const { depth, kind, name, tone, from, to } = row;
  const isHeading = kind === 'turn';
  return (
    <>
      <span
        className={cn(
          'flex min-w-0 items-center gap-1.5 max-md:h-6',
          INDENTS[depth],
          isHeading && 'text-12 text-faint',
        )}
      >
        {!isHeading && <KindIcon row={row} />}
        <InertText
          text={name}
          className={cn(
            'truncate text-12',
            kind === 'tool_call' && 'font-mono',
            kind !== 'tool_call' && kind !== 'model_call' && 'text-muted',
            tone !== 'neutral' && TONE_TEXT[tone],
          )}
        />
      </span>
      <span className={cn('figures text-right font-mono text-12', isHeading ? 'text-faint' : 'text-muted')}>
        {duration(Math.max(0, (to ?? now) - from))}
      </span>
      <span className={cn('h-3.5 max-md:col-span-2 md:h-full', isHeading && 'max-md:hidden')}>
        <Bars row={row} axis={axis} now={now} />
      </span>
    </>
  );
}

function KindIcon({ row: { kind, tone } }: { row: TimelineRow }) {
  const Icon = kind === 'model_call' ? Cpu : kind === 'tool_call' ? Wrench : Clock;
  return (
    <Icon
      aria-hidden
      className={cn('size-3.5 shrink-0', tone === 'neutral' ? 'text-faint' : TONE_TEXT[tone])}
    />
  );
}
