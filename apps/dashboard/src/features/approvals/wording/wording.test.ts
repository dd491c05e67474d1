import type { Approval, ApprovalDecision } from '@countersign/contracts';
import { endingOf } from './closed';
import { precedentsLine } from './precedents-line';
import { explainRefusal, whyNotSent } from './refusal';
import { whatApprovingDoes } from './what-happens';

const by = (id: string, name: string | null, message: string | null = null): ApprovalDecision => ({
  by: { type: 'member', id },
  decision: 'approve',
  name,
  message,
  at: '2026-10-21T09:00:00.000Z',
});
const sam = by('usr_sam', 'Sam');
const asked = { tool: 'refund_order', effect: 'once' as const, requiredApprovals: 1, decisions: [] };
const closed = (status: Approval['status'], decisions: ApprovalDecision[] = []) => ({
  status,
  decisions,
  expiresAt: '2026-10-21T10:00:00.000Z',
});

describe('what approving does', () => {
  test.each([
    [{}, /^refund_order runs once with exactly these arguments, 5 seconds after you approve\.$/],
    [{ effect: 'read' as const }, /^refund_order reads with exactly/],
    [{ effect: null }, /runs once/],
    [{ requiredApprovals: 2 }, /first of two/],
    [{ requiredApprovals: 2, decisions: [sam] }, /^Yours is the second approval: refund_order runs once/],
  ])('%j', (rest, words) => {
    expect(whatApprovingDoes({ ...asked, ...rest })).toMatch(words);
  });
});

describe('how an approval ended', () => {
  test.each([
    ['approved', [sam], 'Sam', null],
    ['approved', [sam, by('usr_me', 'Me')], 'Sam and you', null],
    ['rejected', [sam, by('usr_me', 'Me')], 'you', null],
    ['approved', [by('usr_x', null)], 'somebody who is gone', null],
    ['expired', [], null, 'nobody decided in time'],
    ['cancelled', [], null, 'the call is not asked for any more'],
  ] as const)('%s', (status, decisions, by, why) => {
    expect(endingOf(closed(status, [...decisions]), 'usr_me')).toMatchObject({ by, why });
  });

  test('one that is pending has not ended, whoever approved already', () => {
    expect(endingOf(closed('pending', [sam]), 'usr_me')).toBeNull();
  });
});

describe('a decision that was not taken', () => {
  const explained = (code: string, now: object | null = null) =>
    explainRefusal({ code, detail: 'As the API says it.' }, now as Approval | null, 'usr_me').detail;

  test('names who was faster', () => {
    const now = closed('approved', [by('usr_sam', 'Sam', 'Photos look right.')]);
    expect(explained('already_decided', now)).toBe('Sam approved it before you.');
    expect(explained('already_decided', closed('rejected', [sam]))).toBe('Sam rejected it before you.');
    expect(explained('already_decided', closed('pending', [sam]))).toBe('As the API says it.');
    expect(explained('already_decided')).toBe('Somebody else approved it before you.');
  });

  test('is calm where somebody was faster, and only there', () => {
    const calm = (code: string, now: object) =>
      explainRefusal({ code, detail: '' }, now as Approval, 'usr_me').calm === true;
    expect(calm('already_decided', closed('approved', [sam]))).toBe(true);
    expect(calm('already_decided', closed('pending', [sam]))).toBe(false);
    expect(calm('edit_refused', closed('pending'))).toBe(false);
  });

  test.each([
    ['approved', [sam], 'Your edit was not sent: Sam approved it before you.'],
    ['rejected', [sam], 'Your edit was not sent: Sam rejected it before you.'],
    ['approved', [by('usr_me', 'Me')], 'Your edit was not sent: You approved it already, elsewhere.'],
    ['expired', [], 'Your edit was not sent: the approval expired before.'],
    ['cancelled', [], 'Your edit was not sent: the call is not asked for any more.'],
  ] as const)('an open edit that is overtaken by %s %j says so', (status, decisions, words) => {
    expect(whyNotSent(closed(status, [...decisions]), 'usr_me')).toBe(words);
  });

  test.each(['approval_expired', 'approval_cancelled', 'digest_mismatch', 'own_request', 'undo_too_late'])(
    '%s is explained in words of our own',
    (code) => {
      expect(explained(code)).not.toBe('As the API says it.');
    },
  );

  test.each(['not_an_approver', 'edit_refused', 'tenant_suspended', 'unreachable'])(
    '%s is explained as the API does',
    (code) => {
      expect(explained(code)).toBe('As the API says it.');
    },
  );
});

test.each([
  [
    { approved: 38, edited: 3, rejected: 2, expired: 0 },
    '38 approved as asked, 3 approved with an edit, 2 rejected',
  ],
  [{ approved: 0, edited: 0, rejected: 0, expired: 4 }, '4 expired'],
])('precedents %j are said as %s', (counts, words) => {
  expect(precedentsLine(counts)).toBe(words);
});

test('no precedents are nothing to speak of', () => {
  expect(precedentsLine({ approved: 0, edited: 0, rejected: 0, expired: 0 })).toBeNull();
});
