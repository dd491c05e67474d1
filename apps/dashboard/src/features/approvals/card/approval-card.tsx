'use client';

import type { Approval } from '@countersign/contracts';
import { ErrorState } from '../../../kit/notice';
import { SkeletonRows } from '../../../kit/skeleton';
import { useApproval } from '../data/use-approval';
import { useSettled } from '../data/use-settled';
import type { Decided } from './decided';
import { OpenApproval } from './open-approval';

interface ApprovalCardProps {
  id: string;
  /** As the queue has it: shown until the whole of it is here. */
  known: Approval | undefined;
  onDecided: (decided: Decided) => void;
  onTakeBack: (id: string) => void;
  onNext: () => void;
  onOpen: (id: string) => void;
}

/** One approval, from its link or from the queue. */
export function ApprovalCard({ id, known, onDecided, onTakeBack, onNext, onOpen }: ApprovalCardProps) {
  const settled = useSettled();
  const read = useApproval(id, settled || known === undefined);
  const approval = read.data ?? known;
  if (approval === undefined) {
    return read.error === null ? (
      <SkeletonRows label="Loading the approval" rows={6} />
    ) : (
      <ErrorState
        title={
          read.error.status === 404 ? 'There is no such approval here' : 'The approval could not be read'
        }
        detail={read.error.detail}
        requestId={read.error.requestId}
        retry={() => void read.refetch()}
      />
    );
  }
  return (
    <OpenApproval
      approval={approval}
      settled={settled}
      asking={read.isFetching || !settled}
      onRefresh={() => void read.refetch()}
      onDecided={onDecided}
      onTakeBack={onTakeBack}
      onNext={onNext}
      onOpen={onOpen}
    />
  );
}
