import {
  type CurrentSession,
  currentSession,
  type PasswordChange,
  passwordChange,
  type SignedInView,
  type SignIn,
  signedIn,
  signIn as signInBody,
} from '@countersign/contracts';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { People } from '../platform/people.js';
import { Reply } from '../platform/reply.js';
import { AnyCaller, Body, Route } from '../platform/route.controller.js';
import type { Caller, HttpRequest, HttpResponse } from '../platform/tenant-context.js';
import { PEOPLE } from '../platform/tokens.js';
import { changePassword, type SignInDependencies, signIn, signOut } from './sign-in.js';

export const SIGN_IN = Symbol('SignInDependencies');

/** `/api/auth`: sessions, for the dashboard. The paths are better-auth's. */
@Controller()
export class SignInController {
  constructor(
    @Inject(SIGN_IN) private readonly dependencies: SignInDependencies,
    @Inject(PEOPLE) private readonly people: People,
  ) {}

  @Route({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    access: 'own_pages',
    summary: 'Begins a session of seven days, which use prolongs.',
    body: signInBody,
    ok: signedIn,
    problems: ['sign_in_refused', 'rate_limited'],
  })
  async signIn(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @Body() body: SignIn,
  ): Promise<SignedInView> {
    return withCookies(response, await signIn(this.dependencies, request, body));
  }

  @Route({
    method: 'POST',
    path: '/api/auth/sign-out',
    access: 'own_pages',
    summary: 'Ends the session, where there is one.',
    ok: null,
    status: 204,
  })
  async signOut(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<undefined> {
    return withCookies(response, await signOut(this.dependencies, request));
  }

  @Route({
    method: 'GET',
    path: '/api/auth/get-session',
    access: 'public',
    summary: 'Who is signed in; null where nobody is.',
    ok: currentSession,
  })
  async session(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Reply> {
    const found = await this.people.find(request);
    if (found === null) return new Reply(200, null);
    const { signedIn: person, setCookies } = found;
    const { id, email, name } = person.user;
    const expiresAt = person.expiresAt.toISOString();
    const body: CurrentSession = { user: { id, email, name }, session: { expiresAt } };
    return withCookies(response, { body: new Reply(200, body), setCookies });
  }

  @Route({
    method: 'POST',
    path: '/api/auth/change-password',
    access: 'session',
    summary: 'Another password. Every other session ends.',
    body: passwordChange,
    ok: signedIn,
    problems: ['rate_limited'],
  })
  async changePassword(
    @AnyCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @Body() body: PasswordChange,
  ): Promise<SignedInView> {
    if (caller.type !== 'member') throw new Error('A key has no password');
    const { email } = caller.signedIn.user;
    return withCookies(response, await changePassword(this.dependencies, request, email, body));
  }
}

function withCookies<Body>(
  response: HttpResponse,
  { body, setCookies }: { readonly body: Body; readonly setCookies: readonly string[] },
): Body {
  for (const cookie of setCookies) response.appendHeader('set-cookie', cookie);
  response.setHeader('cache-control', 'no-store');
  return body;
}
