/** What a member of a tenant may be; each may do all that the ones before it may. */
export const ROLES = ['viewer', 'reviewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The least role that may decide at all. */
export const DECIDING_ROLE: Role = 'reviewer';

/** Whether who is `held` may act as `required`. Nobody holds a role that there is not. */
export function holdsRole(held: Role, required: string): boolean {
  const rank = (ROLES as readonly string[]).indexOf(required);
  return rank !== -1 && ROLES.indexOf(held) >= rank;
}
