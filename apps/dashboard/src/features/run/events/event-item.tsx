import type { RunEvent } from '@countersign/contracts';
import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { cn } from '../../../kit/cn';
import { CopyButton } from '../../../kit/copy';
import { hint } from '../../../kit/hint';
import { InertText } from '../../../kit/inert-text';
import { duration, exactLocalTime } from '../../../kit/times';
import { PayloadBody, previewOf } from '../conversation/payload';

interface EventItemProps {
  event: RunEvent;
  /** When the run began, in milliseconds since 1970. */
  begunAt: number;
  open: boolean;
  onToggle: (seq: number) => void;
}

/** One stored event: its place, its type, when it was, and what it holds. */
export const EventItem = memo(function EventItem({ event, begunAt, open, onToggle }: EventItemProps) {
  const { seq, type, at, data } = event;
  const moment = Date.parse(at);
  return (
    <div className={cn('border-line-soft border-b', open && 'bg-ground')}>
      <button
        type="button"
        data-stop
        data-id={`${seq}`}
        aria-expanded={open}
        onClick={() => onToggle(seq)}
        className="ring-inside grid min-h-7 w-full grid-cols-[auto_40px_minmax(0,1fr)_auto] items-center gap-x-2 px-4 py-1 text-left text-12 hover:bg-hover md:grid-cols-[auto_44px_168px_96px_minmax(0,1fr)]"
      >
        <ChevronRight
          aria-hidden
          className={cn('size-3 text-faint transition-transform', open && 'rotate-90')}
        />
        <span className="figures text-right font-mono text-faint">{seq}</span>
        <span className={cn('truncate font-mono', TYPE_COLOURS[type] ?? 'text-ink')}>{type}</span>
        <span
          className="figures text-right font-mono text-faint"
          {...hint(`${exactLocalTime(moment)}\n${at}`)}
        >
          +{duration(Math.max(0, moment - begunAt))}
        </span>
        <InertText
          text={open ? '' : previewOf(data)}
          className="truncate font-mono text-muted max-md:hidden"
        />
      </button>
      {open && (
        <div className="relative px-4 pb-3 md:pl-23">
          <CopyButton text={writeExactly(event)} label="Copy the event" className="absolute top-0 right-4" />
          <p className="pb-1 font-mono text-11 text-faint">{at}</p>
          <PayloadBody value={data} />
        </div>
      )}
    </div>
  );
});

const TYPE_COLOURS: Readonly<Record<string, string>> = {
  'model.failed': 'text-red',
  'tool.denied': 'text-red',
  'tool.failed': 'text-red',
  'tool.unknown': 'text-violet',
  'approval.expired': 'text-red',
  'approval.requested': 'text-amber',
  'run.waiting': 'text-amber',
};
