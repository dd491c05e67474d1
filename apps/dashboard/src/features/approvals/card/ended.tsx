'use client';

import type { Approval } from '@countersign/contracts';
import { Button } from '../../../kit/button';
import { InertText } from '../../../kit/inert-text';
import { ApprovalState } from '../../../kit/state';
import { Time } from '../../../kit/time';
import { type Ending, endingOf } from '../wording/closed';

interface EndedProps {
  approval: Approval;
  selfId: string;
  onNext: () => void;
}

/** In place of the buttons: what became of it, by whom and when. */
export function Ended({ approval, selfId, onNext }: EndedProps) {
  const ending = endingOf(approval, selfId);
  return (
    ending !== null && (
      <div role="status" className="flex items-start justify-between gap-4 px-5 py-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-1.5">
            <ApprovalState status={approval.status} />
            <EndingWords ending={ending} />
          </p>
          {ending.message !== null && (
            <InertText text={`“${ending.message}”`} lines className="mt-0.5 block text-muted" />
          )}
        </div>
        <Button keyHint="j" onClick={onNext}>
          Next
        </Button>
      </div>
    )
  );
}

/** By whom and when; or why nobody can any more. */
export function EndingWords({ ending }: { ending: Ending }) {
  return (
    <span className="text-muted">
      {ending.by === null ? ending.why : `by ${ending.by}`}
      {ending.at !== null && ' · '}
      {ending.at !== null && <Time at={ending.at} />}
    </span>
  );
}
