import type { IncomingMessage } from 'node:http';
import { type Role, SCOPES, type Scope } from '@countersign/contracts';

/** Every cookie of ours begins with it. */
export const COOKIE_PREFIX = 'countersign';
/** The cookie of who is signed in. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;

/** A person with a session that lasts, and their tenants as of now. */
export interface SignedIn {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    /** May use /admin/v1. */
    readonly operator: boolean;
  };
  readonly expiresAt: Date;
  /** By slug. */
  readonly memberships: readonly Membership[];
}

/** A tenant as one of its members sees it. */
export interface Membership {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
  readonly suspended: boolean;
  /** Requests a second of each member and of the tenant. */
  readonly requestsPerSecond: number;
}

export interface FoundPerson {
  readonly signedIn: SignedIn;
  /** For the answer: the session was renewed. */
  readonly setCookies: readonly string[];
}

/** Who is behind a request's cookies. The sign-in room answers; the platform knows no more of it. */
export interface People {
  /**
   * Asks Postgres each time: who signed out, or lost a role, is out at once. A session in use is renewed once a day.
   * Null: nobody, or not any more.
   */
  find(request: IncomingMessage): Promise<FoundPerson | null>;
}

const READS = SCOPES.filter((scope) => scope.endsWith(':read'));

const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: READS,
  reviewer: [...READS, 'approvals:decide'],
  operator: [...READS, 'approvals:decide', 'runs:write'],
  admin: SCOPES,
};

/** What a member of this role may do (CONTRACT, Conventions). */
export function scopesOfRole(role: Role): readonly Scope[] {
  return SCOPES_OF_ROLE[role];
}
