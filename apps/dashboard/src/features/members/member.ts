import type { Role } from '../../frame/me';

/** Who belongs to the tenant. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
}

/** The list, and what is changed of it. */
export const MEMBERS = '/v1/members';
