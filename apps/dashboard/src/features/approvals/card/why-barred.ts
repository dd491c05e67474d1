import type { Approval } from '@countersign/contracts';

interface Reader {
  readonly selfId: string;
  /** Their role decides on approvals. */
  readonly mayDecide: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Why this person cannot decide, before they try; null where nothing speaks against it. The API has the last word. */
export function whyBarred(
  { decisions, expiresAt }: Pick<Approval, 'decisions' | 'expiresAt'>,
  { selfId, mayDecide, now }: Reader,
): string | null {
  if (!mayDecide) {
    return 'Your role lets you look, not decide. Reviewers, operators and admins of this tenant decide.';
  }
  if (Date.parse(expiresAt) <= now) {
    return 'The time to decide is over.';
  }
  if (decisions.some(({ by }) => by.id === selfId)) {
    return 'You have approved it. Another member has to approve it, too.';
  }
  return null;
}
