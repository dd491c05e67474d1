import type { Role } from '@countersign/contracts';

/** What each role may do, from most to least; said wherever one is chosen. */
export const ROLES: readonly { readonly role: Role; readonly label: string; readonly may: string }[] = [
  { role: 'admin', label: 'Admin', may: 'Everything, and who else may' },
  { role: 'operator', label: 'Operator', may: 'Sees everything, decides approvals, starts and cancels runs' },
  { role: 'reviewer', label: 'Reviewer', may: 'Sees everything, decides approvals' },
  { role: 'viewer', label: 'Viewer', may: 'Sees everything, changes nothing' },
];

/** The name of a role, as people read it. */
export function roleLabel(role: Role): string {
  return ROLES.find((one) => one.role === role)?.label ?? role;
}
