'use client';

import type { Approval, Outcome } from '@countersign/contracts';
import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { Money } from '../../../kit/money';
import { ApprovalState } from '../../../kit/state';
import { Time } from '../../../kit/time';
import { subjectId, summarizeBriefly } from '../wording/summary';
import type { QueueItem } from './queue';
import { TimeLeftLabel } from './time-left-label';

/** The height of every row, in pixels: the list is drawn by it. */
export const ROW_HEIGHT = 60;

interface QueueRowProps {
  item: QueueItem;
  open: boolean;
  onOpen: () => void;
}

/** One thing that waits: what, for whom, how much, and how long there is. */
export function QueueRow({ item, open, onOpen }: QueueRowProps) {
  return (
    <button
      type="button"
      data-row={item.id}
      aria-current={open ? 'true' : undefined}
      onClick={onOpen}
      className={cn(
        'ring-inside flex h-full w-full flex-col justify-center gap-0.5 border-line border-b px-4 text-left',
        open ? 'bg-pressed' : 'hover:bg-hover',
      )}
    >
      {item.kind === 'approval' ? (
        <ApprovalRow approval={item.approval} />
      ) : (
        <OutcomeRow outcome={item.outcome} />
      )}
    </button>
  );
}

function ApprovalRow({ approval }: { approval: Approval }) {
  const { money, subject, agent, status, expiresAt, requiredApprovals, decisions } = approval;
  const waits = status === 'pending';
  return (
    <>
      <Line>
        <InertText
          text={summarizeBriefly(approval)}
          className={cn('truncate font-medium', !waits && 'text-faint')}
        />
        {money !== null && <Money {...money} className={cn('text-12', !waits && 'text-faint')} />}
      </Line>
      <Line>
        <About parts={[subjectId(subject), agent.name]}>
          {requiredApprovals > 1 && (
            <span className="whitespace-nowrap">
              {' · '}
              {decisions.length} of {requiredApprovals} approved
            </span>
          )}
        </About>
        {waits ? (
          <TimeLeftLabel expiresAt={expiresAt} />
        ) : (
          <ApprovalState status={status} className="text-12" />
        )}
      </Line>
    </>
  );
}

function OutcomeRow({ outcome }: { outcome: Outcome }) {
  const call = { ...outcome, money: null };
  return (
    <>
      <Line>
        <InertText text={summarizeBriefly(call)} className="truncate font-medium" />
        <span className="inline-flex items-center gap-1 whitespace-nowrap font-medium text-12 text-violet">
          <CircleHelp aria-hidden className="size-3.5" />
          Did it happen?
        </span>
      </Line>
      <Line>
        <About parts={[subjectId(outcome.subject), 'outcome unknown']} />
        {outcome.startedAt !== null && <Time at={outcome.startedAt} className="text-12 text-muted" />}
      </Line>
    </>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="flex w-full min-w-0 items-center justify-between gap-3">{children}</span>;
}

function About({ parts, children }: { parts: readonly (string | null)[]; children?: ReactNode }) {
  const known = parts.filter((part) => part !== null);
  return (
    <span className="truncate text-12 text-muted">
      <InertText text={known.join(' · ')} />
      {children}
    </span>
  );
}
