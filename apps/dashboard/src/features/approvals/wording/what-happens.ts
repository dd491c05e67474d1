import type { Approval } from '@countersign/contracts';

/** How long a decision can be undone, in seconds. */
export const HOLD_SECONDS = 5;

type Asked = Pick<Approval, 'tool' | 'effect' | 'requiredApprovals' | 'decisions'>;

/** What an approval by this person would set going, in words. */
export function whatApprovingDoes({ tool, effect, requiredApprovals, decisions }: Asked): string {
  const missing = requiredApprovals - decisions.filter(({ decision }) => decision === 'approve').length;
  if (missing > 1) {
    return 'Your approval is the first of two. Nothing runs before another member has approved, too.';
  }
  const last = requiredApprovals > 1 ? 'Yours is the second approval: ' : '';
  const what = `${tool} ${HOW[effect ?? 'once']} with exactly these arguments`;
  return `${last}${what}, ${HOLD_SECONDS} seconds after you approve.`;
}

const HOW: Readonly<Record<NonNullable<Approval['effect']>, string>> = {
  read: 'reads',
  idempotent: 'runs',
  once: 'runs once',
};

/** What kind of effect a tool has, for who has not learnt our words. */
export const EFFECT_WORDS: Readonly<Record<NonNullable<Approval['effect']>, string>> = {
  read: 'reads only',
  idempotent: 'safe to repeat: a second time changes nothing',
  once: 'runs once, never repeated blindly',
};
