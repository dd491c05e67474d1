'use client';

import type { Approval } from '@countersign/contracts';
import { Button } from '../../../kit/button';
import { InertText } from '../../../kit/inert-text';
import { Time } from '../../../kit/time';
import { useToolCall } from '../data/use-tool-call';
import { afterEnding, type Ending, endingOf } from '../wording/closed';

interface EndedProps {
  approval: Approval;
  selfId: string;
  onNext: () => void;
}

/** In place of the buttons: what it means that it has ended, and the way on. */
export function Ended({ approval, selfId, onNext }: EndedProps) {
  const approved = approval.status === 'approved';
  const call = useToolCall(approval.runId, approval.toolCallId, approved);
  const message = endingOf(approval, selfId)?.message ?? null;
  return (
    <div role="status" className="flex items-center justify-between gap-4 px-5 py-3">
      <p className="min-w-0 text-muted">
        {message !== null && <InertText text={`“${message}” `} lines className="text-ink" />}
        <InertText text={afterEnding(approval.status, call)} />
      </p>
      <Button keyHint="j" onClick={onNext}>
        Next
      </Button>
    </div>
  );
}

/** By whom and when; or why nobody can any more. */
export function EndingWords({ ending }: { ending: Ending }) {
  return (
    <span className="text-muted">
      {ending.by === null ? (
        `· ${ending.why}`
      ) : (
        <>
          by <InertText text={ending.by} />
        </>
      )}
      {ending.at !== null && ' · '}
      {ending.at !== null && <Time at={ending.at} />}
    </span>
  );
}
