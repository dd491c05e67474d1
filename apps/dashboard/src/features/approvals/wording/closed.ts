import type { Approval, ApprovalDecision } from '@countersign/contracts';
import { cameOfIt } from './came-of-it';

type Closed = Pick<Approval, 'status' | 'decisions' | 'expiresAt'>;

/** How an approval ended: by whom, or why without anybody, and when (RFC 3339; null where nothing says it). */
export interface Ending {
  readonly by: string | null;
  readonly why: string | null;
  readonly at: string | null;
  readonly message: string | null;
}

/** Who decided, or why nobody can any more. `selfId` is the reader's own. Null while it is pending. */
export function endingOf({ status, decisions, expiresAt }: Closed, selfId: string): Ending | null {
  const last = decisions.at(-1);
  switch (status) {
    case 'pending':
      return null;
    case 'approved':
      return decided(decisions, selfId);
    case 'rejected':
      return decided(last === undefined ? [] : [last], selfId);
    case 'expired':
      return { why: 'nobody decided in time', by: null, at: expiresAt, message: null };
    case 'cancelled':
      return { why: 'the call is not asked for any more', by: null, at: null, message: null };
  }
}

/** What an ending means for the call, in words; empty while it is pending. `call` is null while it was not read. */
export function afterEnding(status: Approval['status'], call: Parameters<typeof cameOfIt>[0]): string {
  switch (status) {
    case 'pending':
      return '';
    case 'approved':
      return cameOfIt(call);
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return 'Nothing ran, and the agent is told so.';
  }
}

/** The name of who decided, as the reader knows them. */
export function nameOf({ by, name }: ApprovalDecision, selfId: string): string {
  if (by.id === selfId) return 'you';
  return name ?? (by.type === 'key' ? 'a key that is gone' : 'somebody who is gone');
}

function decided(decisions: readonly ApprovalDecision[], selfId: string): Ending {
  const names = decisions.map((decision) => nameOf(decision, selfId));
  const last = decisions.at(-1);
  return {
    why: null,
    by: names.length === 0 ? null : names.join(' and '),
    at: last?.at ?? null,
    message: last?.message ?? null,
  };
}
