import type { OpenParts } from '../platform/open-process.js';
import type { People } from '../platform/people.js';
import type { PrismaClient } from '../platform/tokens.js';
import { type Authentication, openAuthentication } from './authentication.js';
import { peopleBySession } from './people.js';
import { MembershipRepository, signInTables } from './sign-in.repository.js';

/** What knows people by their sessions and passwords. */
export interface Identity {
  readonly authentication: Authentication;
  readonly people: People;
}

export function openIdentity(
  { environment, database, log }: Pick<OpenParts, 'environment' | 'database' | 'log'>,
  prisma: PrismaClient,
): Identity {
  const authentication = openAuthentication({
    tables: signInTables(prisma),
    secret: environment.secret,
    log,
  });
  return {
    authentication,
    people: peopleBySession(authentication, new MembershipRepository(database)),
  };
}
