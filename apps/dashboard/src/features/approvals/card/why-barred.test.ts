import { whyBarred } from './why-barred';

const NOW = Date.parse('2026-10-21T09:00:00.000Z');
const reader = { selfId: 'usr_me', role: 'reviewer', mayDecide: true, now: NOW } as const;
const asked = {
  decisions: [],
  expiresAt: '2026-10-21T10:00:00.000Z',
  startedBy: { type: 'key', id: 'key_1' },
  approverRoles: [],
} as const;
const asks = (...approverRoles: string[]) => ({ ...asked, decisions: [], approverRoles });

test('a reviewer decides on what others started', () => {
  expect(whyBarred({ ...asks(), startedBy: { type: 'member', id: 'usr_other' } }, reader)).toBeNull();
});

test('nobody decides on a run of their own', () => {
  expect(whyBarred({ ...asks(), startedBy: { type: 'member', id: 'usr_me' } }, reader)).toContain(
    'You started this run',
  );
});

test.each([
  ['reviewer', null],
  ['operator', 'the role operator'],
  ['no such role', 'the role no such role'],
])('where a rule asks for the role %s a reviewer is told %s', (required, expected) => {
  const why = whyBarred(asks(required), reader);
  if (expected === null) expect(why).toBeNull();
  else expect(why).toContain(expected);
});

test('an admin holds every role', () => {
  expect(whyBarred(asks('viewer', 'operator', 'admin'), { ...reader, role: 'admin' })).toBeNull();
});
