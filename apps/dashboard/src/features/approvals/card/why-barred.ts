import type { Approval, Role } from '@countersign/contracts';

/** Each may do what the ones before it may. */
const ROLES: readonly string[] = ['viewer', 'reviewer', 'operator', 'admin'];

interface Reader {
  readonly selfId: string;
  /** Null: they are no member. */
  readonly role: Role | null;
  /** Their role decides on approvals. */
  readonly mayDecide: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Why this person cannot decide, before they try; null where nothing speaks against it. The API has the last word. */
export function whyBarred(
  {
    decisions,
    expiresAt,
    startedBy,
    approverRoles,
  }: Pick<Approval, 'decisions' | 'expiresAt' | 'startedBy' | 'approverRoles'>,
  { selfId, role, mayDecide, now }: Reader,
): string | null {
  if (!mayDecide) {
    return 'Your role lets you look, not decide. Reviewers, operators and admins of this tenant decide.';
  }
  if (startedBy.type === 'member' && startedBy.id === selfId) {
    return 'You started this run, and nobody decides on a request of their own. Any other reviewer, operator or admin may.';
  }
  const lacking = approverRoles.find((required) => !holds(role, required));
  if (lacking !== undefined) {
    return `A rule asks for the role ${lacking}, or a higher one, to decide on this.`;
  }
  if (Date.parse(expiresAt) <= now) {
    return 'The time to decide is over.';
  }
  if (decisions.some(({ by }) => by.id === selfId)) {
    return 'You have approved it. Another member has to approve it, too.';
  }
  return null;
}

/** A role that nobody knows is held by nobody. */
function holds(role: Role | null, required: string): boolean {
  const place = ROLES.indexOf(required);
  return role !== null && place !== -1 && ROLES.indexOf(role) >= place;
}
