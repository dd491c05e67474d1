import type { IncomingMessage } from 'node:http';
import type { PasswordChange, SignedInView, SignIn } from '@countersign/contracts';
import { APIError } from 'better-auth/api';
import { invalidContent, Problem } from '../platform/problem.js';
import type { RateLimit } from '../platform/rate-limit.js';
import { addressOf } from './address.js';
import { takeAttempt } from './attempts.js';
import { ADDRESS_HEADER, type Authentication } from './authentication.js';
import { cookiesFor, orReason } from './people.js';

export interface SignInDependencies {
  readonly authentication: Authentication;
  readonly rates: Pick<RateLimit, 'take' | 'giveBack'>;
}

/** What an answer says, and the cookies that come with it. */
interface Answer<Body> {
  readonly body: Body;
  readonly setCookies: readonly string[];
}

/**
 * A session for who knows the password. Unknown addresses and wrong passwords are answered alike, after equal work.
 * @throws Problem sign_in_refused, rate_limited.
 */
export async function signIn(
  { authentication, rates }: SignInDependencies,
  request: IncomingMessage,
  body: SignIn,
): Promise<Answer<SignedInView>> {
  const address = addressOf(request);
  const taken = takeAttempt(rates, body.email, address);
  const headers = new Headers({
    [ADDRESS_HEADER]: address,
    'user-agent': request.headers['user-agent'] ?? '',
  });
  try {
    const answer = await orReason(authentication.api.signInEmail({ body, headers, returnHeaders: true }));
    rates.giveBack(taken);
    return {
      body: { user: userView(answer.response.user) },
      setCookies: cookiesFor(request, answer.headers),
    };
  } catch (error) {
    if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
    throw new Problem('sign_in_refused', 'There is nobody with this e-mail address and this password.');
  }
}

/** Ends the session, where there is one. */
export async function signOut(
  { authentication }: Pick<SignInDependencies, 'authentication'>,
  request: IncomingMessage,
): Promise<Answer<undefined>> {
  const headers = new Headers({ cookie: request.headers.cookie ?? '' });
  const answer = await orReason(authentication.api.signOut({ headers, returnHeaders: true }));
  return { body: undefined, setCookies: cookiesFor(request, answer.headers) };
}

/**
 * Another password; every other session of the person ends.
 * @throws Problem invalid_content, rate_limited.
 */
export async function changePassword(
  { authentication, rates }: SignInDependencies,
  request: IncomingMessage,
  email: string,
  body: PasswordChange,
): Promise<Answer<SignedInView>> {
  const taken = takeAttempt(rates, email, addressOf(request));
  const headers = new Headers({ cookie: request.headers.cookie ?? '', [ADDRESS_HEADER]: addressOf(request) });
  try {
    const change = { ...body, revokeOtherSessions: true };
    const answer = await orReason(
      authentication.api.changePassword({ body: change, headers, returnHeaders: true }),
    );
    rates.giveBack(taken);
    return {
      body: { user: userView(answer.response.user) },
      setCookies: cookiesFor(request, answer.headers),
    };
  } catch (error) {
    if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
    throw invalidContent({ path: '/currentPassword', message: 'is not the current one' });
  }
}

function userView({ id, email, name }: SignedInView['user']): SignedInView['user'] {
  return { id, email, name };
}
