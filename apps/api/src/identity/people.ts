import type { IncomingMessage } from 'node:http';
import { APIError } from 'better-auth/api';
import { type FoundPerson, type People, SESSION_COOKIE } from '../platform/people.js';
import type { Authentication } from './authentication.js';
import type { MembershipRepository } from './sign-in.repository.js';

/** People by their sessions, which are looked up in Postgres for each request. */
export function peopleBySession(
  authentication: Authentication,
  memberships: Pick<MembershipRepository, 'of'>,
): People {
  return {
    async find(request): Promise<FoundPerson | null> {
      const { cookie } = request.headers;
      if (cookie === undefined || !cookie.includes(SESSION_COOKIE)) return null;
      const headers = new Headers({ cookie });
      const found = await orReason(authentication.api.getSession({ headers, returnHeaders: true }));
      if (found.response === null) return null;
      const { user, session } = found.response;
      return {
        signedIn: {
          user: { id: user.id, email: user.email, name: user.name, operator: user.operator },
          expiresAt: session.expiresAt,
          memberships: await memberships.of(user.id),
        },
        setCookies: cookiesFor(request, found.headers),
      };
    },
  };
}

/** The cookies of an answer of better-auth; `Secure` where the browser came by https. */
export function cookiesFor(request: IncomingMessage, headers: Headers): readonly string[] {
  const protocol = request.headers['x-forwarded-proto'];
  const secure = typeof protocol === 'string' && protocol.split(',', 1)[0] === 'https';
  return headers.getSetCookie().map((cookie) => (secure ? `${cookie}; Secure` : cookie));
}

/** better-auth wraps what its tables throw; the reason is what the caller is told by. */
export async function orReason<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof APIError && error.statusCode >= 500 && error.cause instanceof Error
      ? error.cause
      : error;
  }
}
