'use client';

import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import { IconButton } from '../../kit/button';

/** The page's name; on a phone, before a card, with the way back to the queue. */
export function DeskTitle({ open, onBack }: { open: boolean; onBack: () => void }) {
  return (
    <span className="flex items-center gap-2">
      {open && (
        <IconButton label="Back to the queue" size="large" className="-my-1 -ml-2 md:hidden" onClick={onBack}>
          <ArrowLeft aria-hidden />
        </IconButton>
      )}
      Approvals
    </span>
  );
}

/** To the card before and after, on a phone: there the queue is out of sight, and there are no keys. */
export function DeskSteps({ onStep }: { onStep: (steps: number) => void }) {
  return (
    <span className="-mr-2 flex md:hidden">
      <IconButton label="Previous" size="large" onClick={() => onStep(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next" size="large" onClick={() => onStep(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
    </span>
  );
}
