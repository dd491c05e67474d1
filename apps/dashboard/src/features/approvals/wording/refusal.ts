import type { Approval } from '@countersign/contracts';
import { endingOf } from './closed';
import { capitalized } from './words';

/** Why a decision was not taken, in words for who made it. */
export interface Refusal {
  readonly title: string;
  readonly detail: string;
  /** Whoever tries again gets the same answer. */
  readonly final?: true;
  /** Nothing is wrong: somebody else was faster. */
  readonly calm?: boolean;
}

interface Answer {
  readonly code: string;
  readonly detail: string;
}

/** Explains what the API answered to a decision. `now` is the approval as read after it, where it could be read. */
export function explainRefusal({ code, detail }: Answer, now: Approval | null, selfId: string): Refusal {
  switch (code) {
    case 'already_decided':
      return now?.status === 'pending'
        ? { title: 'You have decided already', detail }
        : { title: 'Your decision was not needed', detail: whoWasFaster(now, selfId), calm: true };
    case 'approval_expired':
      return { title: 'Too late', detail: 'It had expired when your decision arrived. Nothing ran.' };
    case 'approval_cancelled':
      return {
        title: 'Nothing to decide any more',
        detail: 'The call is not asked for any more: its run ended, or the rules changed. Nothing ran.',
      };
    case 'digest_mismatch':
      return {
        title: 'The arguments are not the ones you saw',
        detail: 'Somebody changed them while you looked. They are shown anew: decide again.',
      };
    case 'own_request':
      return {
        title: 'You started this run',
        detail: 'Nobody decides on a request of their own. Any other reviewer, operator or admin may.',
        final: true,
      };
    case 'not_an_approver':
      return { title: 'Not yours to decide', detail, final: true };
    case 'undo_too_late':
      return { title: 'Too late to undo', detail: 'The call has begun. What it did, its run shows.' };
    case 'edit_refused':
      return { title: 'The edit was refused', detail };
    default:
      return { title: 'The decision was not taken', detail };
  }
}

type Closed = Pick<Approval, 'status' | 'decisions' | 'expiresAt'>;

/** Why an edit that was open came to nothing, though it was never sent. */
export function whyNotSent(now: Closed, selfId: string): string {
  switch (now.status) {
    case 'expired':
      return 'Your edit was not sent: the approval expired before.';
    case 'cancelled':
      return 'Your edit was not sent: the call is not asked for any more.';
    default:
      return `Your edit was not sent: ${whoWasFaster(now, selfId)}`;
  }
}

function whoWasFaster(now: Closed | null, selfId: string): string {
  const by = now === null ? null : (endingOf(now, selfId)?.by ?? null);
  const did = now?.status === 'rejected' ? 'rejected' : 'approved';
  if (by === 'you') return `You ${did} it already, elsewhere.`;
  return `${capitalized(by ?? 'somebody else')} ${did} it before you.`;
}
