'use client';

import type { Approval } from '@countersign/contracts';
import type { RefObject } from 'react';
import { Button } from '../../../kit/button';
import { Input } from '../../../kit/field';
import { whatApprovingDoes } from '../wording/what-happens';

interface ApproveBarProps {
  approval: Approval;
  message: string;
  onMessage: (message: string) => void;
  messageField: RefObject<HTMLInputElement | null>;
  busy: boolean;
  /** Why it cannot be decided here; null where it can. */
  barred: string | null;
  /** The form is asked for, and what it is made of is on its way. */
  opensEdit: boolean;
  onApprove: () => void;
  onEdit: () => void;
  onReject: () => void;
  /** Takes back this person's own approval, while another one is waited for; null where there is none. */
  onTakeBack: (() => void) | null;
}

/** The three answers, always in the same place, with what the first of them sets going. */
export function ApproveBar(props: ApproveBarProps) {
  const { approval, message, onMessage, messageField, busy, barred, opensEdit } = props;
  if (barred !== null) {
    return (
      <div className="flex items-center justify-between gap-4 px-5 py-3">
        <p className="text-muted">{barred}</p>
        {props.onTakeBack !== null && <Button onClick={props.onTakeBack}>Take back</Button>}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2 px-5 py-3">
      <p className="text-12 text-muted">{whatApprovingDoes(approval)}</p>
      <Input
        ref={messageField}
        value={message}
        onChange={({ target }) => onMessage(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) props.onApprove();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        maxLength={2_000}
        placeholder="Message (optional)"
        aria-label="Message with your decision"
      />
      <div className="flex gap-2">
        <Button
          variant="primary"
          size="large"
          keyHint="a"
          className="flex-1"
          busy={busy}
          onClick={props.onApprove}
        >
          Approve
        </Button>
        <Button size="large" keyHint="e" disabled={busy} busy={opensEdit} onClick={props.onEdit}>
          Edit
        </Button>
        <Button variant="danger" size="large" keyHint="r" disabled={busy} onClick={props.onReject}>
          Reject
        </Button>
      </div>
    </div>
  );
}
