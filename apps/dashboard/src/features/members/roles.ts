import type { Role } from '../../frame/me';

/** What each role may do, from most to least; said wherever one is chosen. */
export const ROLES: readonly { readonly role: Role; readonly label: string; readonly may: string }[] = [
  { role: 'admin', label: 'Admin', may: 'Everything, members and keys too' },
  { role: 'operator', label: 'Operator', may: 'Runs, agents, tools, policy and approvals' },
  { role: 'reviewer', label: 'Reviewer', may: 'Sees runs and decides approvals' },
  { role: 'viewer', label: 'Viewer', may: 'Sees runs and approvals' },
];

/** The name of a role, as people read it. */
export function roleLabel(role: Role): string {
  return ROLES.find((one) => one.role === role)?.label ?? role;
}
