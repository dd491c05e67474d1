import fc from 'fast-check';
import { ROLES, type Role } from '../policy/role.js';
import type { Instant } from '../shared/brand.js';
import type { Actor, ApprovalDecision } from './approval.js';
import { areEnough, type Members, refusalOf } from './approvers.js';

const member = (id: string): Actor => ({ type: 'member', id });
const key: Actor = { type: 'key', id: 'key_1' };
const by = (actor: Actor): ApprovalDecision => ({
  by: actor,
  decision: 'approve',
  message: null,
  at: 0 as Instant,
});
const asked = (requiredApprovals: 1 | 2, approverRoles: string[], ...signed: Actor[]) => ({
  requiredApprovals,
  approverRoles,
  decisions: signed.map(by),
});
const NOW = 1_000 as Instant;
const started = { startedBy: member('starter') };

describe('who may decide', () => {
  test('a key, where no member is asked for, even on a run that it started', () => {
    expect(refusalOf({ startedBy: key }, asked(1, []), key, null)).toBeNull();
    expect(refusalOf(started, asked(2, []), key, null)).toBe('not_an_approver');
    expect(refusalOf(started, asked(1, ['reviewer']), key, null)).toBe('not_an_approver');
  });

  test('no member who started the run, whatever their role', () => {
    for (const role of ROLES) {
      expect(refusalOf(started, asked(1, []), member('starter'), role)).toBe('own_request');
    }
  });

  test('a member whose role is at least the one that is asked for', () => {
    const refusals = (approverRoles: string[]) =>
      ROLES.map((role) => refusalOf(started, asked(1, approverRoles), member('a'), role));
    expect(refusals([])).toEqual(['not_an_approver', null, null, null]);
    expect(refusals(['viewer'])).toEqual(['not_an_approver', null, null, null]);
    expect(refusals(['operator'])).toEqual(['not_an_approver', 'not_an_approver', null, null]);
    expect(refusals(['reviewer', 'admin'])).toEqual([
      'not_an_approver',
      'not_an_approver',
      'not_an_approver',
      null,
    ]);
    expect(refusals(['no such role'])).toEqual(Array(4).fill('not_an_approver'));
  });

  test('no member twice', () => {
    expect(refusalOf(started, asked(2, [], member('a')), member('a'), 'admin')).toBe('already_decided');
    expect(refusalOf(started, asked(2, [], member('a')), member('b'), 'admin')).toBeNull();
  });
});

describe('signatures', () => {
  const members = new Map<string, Role>([
    ['viewer', 'viewer'],
    ['reviewer', 'reviewer'],
    ['admin', 'admin'],
  ]);
  const enough = (approvals: 1 | 2, approverRoles: string[], ...signed: Actor[]) =>
    areEnough(
      signed.map(by),
      { approvals, approverRoles },
      { members, keys: new Map([['key_1', null]]) },
      NOW,
    );

  test('of a member suffice while they are one who may decide', () => {
    expect(enough(1, [], member('reviewer'))).toBe(true);
    expect(enough(1, [], member('viewer'))).toBe(false);
    expect(enough(1, [], member('gone'))).toBe(false);
    expect(enough(1, ['admin'], member('reviewer'))).toBe(false);
    expect(enough(1, ['admin'], member('admin'))).toBe(true);
  });

  test('of a key suffice where no member is asked for', () => {
    expect(enough(1, [], key)).toBe(true);
    expect(enough(1, ['reviewer'], key)).toBe(false);
    expect(enough(2, [], key, member('admin'))).toBe(false);
  });

  test.each([
    ['is good', null, true],
    ['ends later', 1_001, true],
    ['has ended', 1_000, false],
    ['was deleted', undefined, false],
  ])('of a key that %s', (_name, expiresAt, expected) => {
    const keys = new Map(expiresAt === undefined ? [] : [['key_1', expiresAt as Instant | null]]);
    const signed = [by(key)];
    expect(areEnough(signed, { approvals: 1, approverRoles: [] }, { members, keys }, NOW)).toBe(expected);
  });

  test('two are of two people', () => {
    expect(enough(2, [], member('admin'))).toBe(false);
    expect(enough(2, [], member('admin'), member('admin'))).toBe(false);
    expect(enough(2, [], member('admin'), member('reviewer'))).toBe(true);
    expect(enough(2, [], member('admin'), member('gone'))).toBe(false);
    expect(enough(2, ['admin'], member('admin'), member('reviewer'))).toBe(false);
  });

  test('that nobody was refused suffice as long as nothing changes, and fewer rights never make more', () => {
    const role = fc.constantFrom(...ROLES);
    fc.assert(
      fc.property(
        fc.constantFrom(1 as const, 2 as const),
        fc.uniqueArray(fc.constantFrom('reviewer', 'operator', 'admin')),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), role),
        fc.constantFrom('a', 'b', 'c'),
        (approvals, approverRoles, roles, leaver) => {
          const now = new Map<string, Role>(Object.entries(roles) as [string, Role][]);
          const decisions: ApprovalDecision[] = [];
          for (const [id, held] of now) {
            const request = { requiredApprovals: approvals, approverRoles, decisions };
            if (refusalOf(started, request, member(id), held) === null) decisions.push(by(member(id)));
          }
          const signatures = { approvals, approverRoles };
          const suffice = (left: Members) =>
            areEnough(decisions, signatures, { members: left, keys: new Map() }, NOW);
          expect(suffice(now)).toBe(decisions.length >= approvals);
          const later = new Map(now);
          later.delete(leaver);
          if (!suffice(now)) expect(suffice(later)).toBe(false);
        },
      ),
    );
  });
});
