import { DECIDING_ROLE, holdsRole, type Role } from '../policy/role.js';
import type { Instant } from '../shared/brand.js';
import type { Actor, Approval, ApprovalDecision } from './approval.js';
import type { Run } from './run.js';

/** The members of a tenant as of now, by id. Who left is absent. */
export type Members = ReadonlyMap<string, Role>;

/** The keys that may decide as of now, by id, each with when it ends; null: never. Deleted ones are absent. */
export type DecidingKeys = ReadonlyMap<string, Instant | null>;

/** Whose signatures count. */
export interface Signers {
  readonly members: Members;
  readonly keys: DecidingKeys;
}

/** How many signatures a call takes, and whose. */
export interface Signatures {
  readonly approvals: 1 | 2;
  readonly approverRoles: readonly string[];
}

/**
 * Why somebody may not decide on a pending approval (CONTRACT, Approvals); null: they may. A key may post and decide, but
 * it is nobody: two people, or somebody with a role, must be members. Each of them needs every role that is asked for.
 * @param role the member's; null for a key.
 */
export function refusalOf(
  run: Pick<Run, 'startedBy'>,
  approval: Pick<Approval, 'requiredApprovals' | 'approverRoles' | 'decisions'>,
  actor: Actor,
  role: Role | null,
): 'own_request' | 'not_an_approver' | 'already_decided' | null {
  const { requiredApprovals: approvals, approverRoles, decisions } = approval;
  if (actor.type === 'member' && isSame(run.startedBy, actor)) return 'own_request';
  if (!maySign(actor, role, { approvals, approverRoles })) return 'not_an_approver';
  return actor.type === 'member' && decisions.some(({ by }) => isSame(by, actor)) ? 'already_decided' : null;
}

/**
 * Whether the signatures under a call still suffice (invariant I6): each by somebody who may sign as of now, a member
 * with their role of now or a key that is still good, and no two by one member.
 */
export function areEnough(
  decisions: readonly ApprovalDecision[],
  signatures: Signatures,
  { members, keys }: Signers,
  now: Instant,
): boolean {
  const signers = decisions
    .filter(({ by }) => by.type === 'member' || isLive(keys.get(by.id), now))
    .filter(({ by }) => maySign(by, members.get(by.id) ?? null, signatures))
    .map(({ by }) => `${by.type} ${by.id}`);
  return new Set(signers).size >= signatures.approvals;
}

function maySign({ type }: Actor, role: Role | null, { approvals, approverRoles }: Signatures): boolean {
  if (type === 'key') return approvals === 1 && approverRoles.length === 0;
  return role !== null && [DECIDING_ROLE, ...approverRoles].every((required) => holdsRole(role, required));
}

function isLive(expiresAt: Instant | null | undefined, now: Instant): boolean {
  return expiresAt !== undefined && (expiresAt === null || now < expiresAt);
}

function isSame(one: Actor, other: Actor): boolean {
  return one.type === other.type && one.id === other.id;
}
