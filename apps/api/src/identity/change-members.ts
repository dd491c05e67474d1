import type { Member, MemberCreate, MemberCreated, Role } from '@countersign/contracts';
import { scopesOfRole } from '../platform/people.js';
import { notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import type { MemberRepository } from './member.repository.js';
import { newPassword, newUser } from './new-user.js';

export interface MemberDependencies {
  readonly members: Pick<MemberRepository, 'add' | 'find' | 'changeRole' | 'remove'>;
}

/**
 * Makes a person a member, with at most the caller's scopes. Who has no account gets one, and a password that is told
 * this once; an account that others made takes the word of the platform's operator (`vouched`).
 * @throws Problem scope_not_held, already_exists.
 */
export async function addMember(
  { members }: MemberDependencies,
  { tenant, scopes }: Pick<TenantScope, 'tenant' | 'scopes'>,
  { role, ...person }: MemberCreate,
  vouched = false,
): Promise<MemberCreated> {
  refuseMore(scopes, role);
  const password = newPassword();
  const added = await members.add(tenant, await newUser(person, password), role, vouched);
  if (added === null) throw new Problem('already_exists', `${person.email} is a member already.`);
  if (added === 'foreign') {
    const detail = `${person.email} has an account that was not made here: ask the platform's operator, or take another address.`;
    throw new Problem('already_exists', detail);
  }
  return { member: added.member, password: added.created ? password : null };
}

/** Gives a member another role, with at most the caller's scopes. @throws Problem not_found, last_admin, scope_not_held. */
export async function changeRole(
  { members }: MemberDependencies,
  { tenant, scopes }: TenantScope,
  id: string,
  role: Role,
): Promise<Member> {
  refuseMore(scopes, role);
  refuse(await members.changeRole(tenant, id, role));
  const member = await members.find(tenant, id);
  if (member === null) throw notFound('member');
  return member;
}

/** Ends a membership; the person's account stays. @throws Problem not_found, last_admin. */
export async function removeMember(
  { members }: MemberDependencies,
  { tenant }: TenantScope,
  id: string,
): Promise<void> {
  refuse(await members.remove(tenant, id));
}

function refuse(change: 'unknown' | 'last_admin' | 'changed'): void {
  if (change === 'unknown') throw notFound('member');
  if (change === 'last_admin') {
    throw new Problem('last_admin', 'Make somebody else an admin first: nobody could otherwise.');
  }
}

function refuseMore(held: TenantScope['scopes'], role: Role): void {
  const beyond = scopesOfRole(role).filter((scope) => !held.has(scope));
  if (beyond.length === 0) return;
  throw new Problem('scope_not_held', 'Nobody gives a scope that they lack.', {
    errors: [{ path: '/role', message: `the caller lacks ${beyond.join(', ')}` }],
  });
}
