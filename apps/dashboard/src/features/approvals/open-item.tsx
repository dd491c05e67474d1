'use client';

import { Button } from '../../kit/button';
import { Empty } from '../../kit/notice';
import { toast } from '../../kit/toast';
import { ApprovalCard } from './card/approval-card';
import type { Decided } from './card/decided';
import { OutcomeCard } from './outcome/outcome-card';
import type { QueueItem } from './queue/queue';

interface OpenItemProps {
  id: string;
  /** As the queue has it; undefined where it is not in the queue. */
  item: QueueItem | undefined;
  onDecided: (decided: Decided) => void;
  onTakeBack: (id: string) => void;
  /** What waits next is to open, because this is done with. */
  onDone: (id: string) => void;
  onNext: () => void;
  onOpen: (id: string) => void;
}

/** The card of what is open. */
export function OpenItem({ id, item, onDecided, onTakeBack, onDone, onNext, onOpen }: OpenItemProps) {
  if (item?.kind === 'outcome') {
    return (
      <OutcomeCard
        outcome={item.outcome}
        onSettled={(happened, summary) => {
          toast(happened ? 'Noted: it happened' : 'Noted: it did not happen', { detail: summary });
          onDone(id);
        }}
      />
    );
  }
  if (id.startsWith('tcl_')) {
    return (
      <Empty title="This has been answered" actions={<Button onClick={onNext}>Next</Button>}>
        Somebody, or the tool itself, has said what became of it.
      </Empty>
    );
  }
  return (
    <ApprovalCard
      id={id}
      known={item?.approval}
      onDecided={onDecided}
      onTakeBack={onTakeBack}
      onNext={onNext}
      onOpen={onOpen}
    />
  );
}
