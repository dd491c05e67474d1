'use client';

import type { Approval } from '@countersign/contracts';
import { useState } from 'react';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { Money } from '../../../kit/money';
import { Skeleton } from '../../../kit/skeleton';
import { ApprovalState } from '../../../kit/state';
import { Time } from '../../../kit/time';
import { usePrecedents } from '../data/use-approval';
import { nameOf } from '../wording/closed';
import { precedentsLine } from '../wording/precedents-line';
import { subjectId, summarizeBriefly } from '../wording/summary';

const FIRST = 3;

interface PrecedentsProps {
  approvalId: string;
  selfId: string;
  onOpen: (id: string) => void;
  className?: string;
}

/** How people decided on requests like this one: the same tool, asked for by the same rule. */
export function Precedents({ approvalId, selfId, onOpen, className }: PrecedentsProps) {
  const read = usePrecedents(approvalId);
  const [all, setAll] = useState(false);
  const recent = read.data?.recent ?? [];
  return (
    <section className={cn('px-5 py-3', className)}>
      <h3 className="font-medium text-12 text-muted">Earlier decisions like this</h3>
      {read.data === undefined ? (
        read.error === null ? (
          <Skeleton className="mt-2 w-3/5" />
        ) : (
          <p className="text-muted">{read.error.detail}</p>
        )
      ) : (
        <p className="text-12 text-muted">
          {precedentsLine(read.data) ?? 'None in the last 90 days: this is the first.'}
        </p>
      )}
      <ul className="-mx-2 mt-1">
        {recent.slice(0, all ? undefined : FIRST).map((each) => (
          <li key={each.id}>
            <Precedent approval={each} selfId={selfId} onOpen={() => onOpen(each.id)} />
          </li>
        ))}
      </ul>
      {!all && recent.length > FIRST && (
        <Button variant="ghost" size="small" className="-ml-2" onClick={() => setAll(true)}>
          {recent.length - FIRST} more
        </Button>
      )}
    </section>
  );
}

interface PrecedentProps {
  approval: Approval;
  selfId: string;
  onOpen: () => void;
}

function Precedent({ approval, selfId, onOpen }: PrecedentProps) {
  const last = approval.decisions.at(-1);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full flex-col rounded-6 px-2 py-1 text-left text-12 hover:bg-hover"
    >
      <span className="flex w-full items-baseline justify-between gap-3">
        <InertText
          text={[summarizeBriefly(approval), subjectId(approval.subject)]
            .filter((part) => part !== null)
            .join(' · ')}
          className="truncate"
        />
        {approval.money !== null && <Money {...approval.money} />}
      </span>
      <span className="flex w-full items-baseline justify-between gap-3 text-muted">
        <span className="flex min-w-0 items-center gap-1.5">
          <ApprovalState status={approval.status} />
          {last !== undefined && (
            <span className="truncate">
              by <InertText text={nameOf(last, selfId)} />
              {last.message !== null && ': '}
              {last.message !== null && <InertText text={`“${last.message}”`} />}
            </span>
          )}
        </span>
        <Time at={last?.at ?? approval.expiresAt} />
      </span>
    </button>
  );
}
