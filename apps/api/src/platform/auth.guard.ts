import { createHash, timingSafeEqual } from 'node:crypto';
import type { Role, Scope } from '@countersign/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { KeyCache } from './key-cache.js';
import { type Membership, type People, type SignedIn, scopesOfRole } from './people.js';
import { notFound, Problem } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import { type Access, routeOf, type TenantAccess } from './route.js';
import { refuseOtherOrigins } from './same-origin.js';
import type { SharedRateLimit } from './shared-rate-limit.js';
import { bindCaller, bindScope, type HttpRequest, type HttpResponse } from './tenant-context.js';
import { whileAdmitted } from './while-admitted.js';

/** Requests a second of a person on routes that belong to no tenant, in each process. */
const OWN_REQUESTS = 100;

/** Says who sends a request and whether they may: 401, 403, 404 and 429 of every route. A key outweighs a cookie. */
export class AuthGuard implements CanActivate {
  private readonly adminDigest: Buffer;

  constructor(
    private readonly keys: KeyCache,
    private readonly people: People,
    private readonly rates: SharedRateLimit,
    private readonly ownRates: RateLimit,
    adminKey: string,
    private readonly onLoopback: boolean,
  ) {
    this.adminDigest = digestOf(adminKey);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { access, stream } = routeOf(context.getHandler());
    if (access === 'public' || (access === 'loopback' && this.onLoopback)) return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const response = context.switchToHttp().getResponse<HttpResponse>();
    if (access === 'own_pages') refuseOtherOrigins(request);
    else if (request.headers.authorization !== undefined && access !== 'session')
      await this.admitKey(request, bearerOf(request), access);
    else await this.admitPerson(request, response, access);
    if (stream !== undefined) whileAdmitted(response, () => this.admitStill(request, access as TenantAccess));
    return true;
  }

  /** As when it was let in, but counted as no request. @throws Problem */
  private async admitStill(request: HttpRequest, access: TenantAccess): Promise<void> {
    if (request.headers.authorization !== undefined) {
      const key = await this.keys.lookUp(digestOf(bearerOf(request)).toString('hex'));
      if (key === null || key.suspended) throw unauthorized();
      return;
    }
    const found = await this.people.find(request);
    const membership = found && membershipNamed(found.signedIn, request.headers['x-tenant']);
    if (membership === null || membership.suspended) throw unauthorized();
    refuseWithout(new Set(scopesOfRole(membership.role)), membership.role, access);
  }

  private async admitKey(
    request: HttpRequest,
    token: string,
    access: Exclude<Access, 'session'>,
  ): Promise<void> {
    if (access === 'operator' || access === 'loopback') {
      if (!timingSafeEqual(digestOf(token), this.adminDigest)) throw unauthorized();
      return;
    }
    const key = await this.keys.lookUp(digestOf(token).toString('hex'));
    if (key === null) throw unauthorized();
    const named = request.headers['x-tenant'];
    if (named !== undefined && named !== key.tenant && named !== key.tenantSlug) throw notFound('tenant');
    bindCaller(request, { type: 'key', key });
    const { tenant, suspended, requestsPerSecond } = key;
    await this.admitTenant({ tenant, suspended, requestsPerSecond, actorId: key.id });
    if (access === 'caller') return;
    const scopes = new Set(key.scopes);
    refuseWithout(scopes, null, access as TenantAccess);
    bindScope(request, { tenant, actor: { type: 'key', id: key.id }, role: null, scopes });
  }

  private async admitPerson(request: HttpRequest, response: HttpResponse, access: Access): Promise<void> {
    refuseOtherOrigins(request);
    const found = await this.people.find(request);
    if (found === null) throw unauthorized();
    const { signedIn, setCookies } = found;
    for (const cookie of setCookies) response.appendHeader('set-cookie', cookie);
    if (access === 'operator' || access === 'loopback') {
      if (signedIn.user.operator) return;
      throw new Problem('missing_scope', 'This is for operators of the platform.');
    }
    const membership = membershipNamed(signedIn, request.headers['x-tenant']);
    bindCaller(request, { type: 'member', signedIn, membership });
    if (access === 'caller' || access === 'session')
      refuseBeyond(this.ownRates.take([signedIn.user.id], OWN_REQUESTS), OWN_REQUESTS);
    else await this.admitMember(request, signedIn, membership, access as TenantAccess);
  }

  private async admitMember(
    request: HttpRequest,
    { user }: SignedIn,
    membership: Membership | null,
    access: TenantAccess,
  ): Promise<void> {
    if (membership === null) {
      throw new Problem(
        'tenant_required',
        'Name one of your tenants, by id or slug, in the header X-Tenant.',
      );
    }
    const { id: tenant, role, suspended, requestsPerSecond } = membership;
    await this.admitTenant({ tenant, suspended, requestsPerSecond, actorId: user.id });
    const scopes = new Set(scopesOfRole(role));
    refuseWithout(scopes, role, access);
    bindScope(request, { tenant, actor: { type: 'member', id: user.id }, role, scopes });
  }

  private async admitTenant(caller: {
    readonly tenant: string;
    readonly suspended: boolean;
    readonly requestsPerSecond: number;
    readonly actorId: string;
  }): Promise<void> {
    if (caller.suspended) throw new Problem('tenant_suspended', 'The operator has suspended this tenant.');
    const { requestsPerSecond } = caller;
    refuseBeyond(await this.rates.take(caller, requestsPerSecond), requestsPerSecond);
  }
}

/** `seconds` after which it is worth trying again; 0: admitted. */
function refuseBeyond(seconds: number, perSecond: number): void {
  if (seconds === 0) return;
  throw new Problem('rate_limited', `At most ${perSecond} requests a second.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The tenant that is named, by id or slug; where none is, the only one. @throws Problem not_found. */
function membershipNamed(
  { memberships }: SignedIn,
  named: string | readonly string[] | undefined,
): Membership | null {
  if (named === undefined) return memberships.length === 1 ? (memberships[0] ?? null) : null;
  const membership = memberships.find(({ id, slug }) => id === named || slug === named);
  if (membership === undefined) throw notFound('tenant');
  return membership;
}

function refuseWithout(scopes: ReadonlySet<Scope>, role: Role | null, access: TenantAccess): void {
  if (access !== 'operator_role') {
    if (!scopes.has(access)) throw new Problem('missing_scope', `This takes the scope ${access}.`);
  } else if (role !== 'operator' && !scopes.has('admin')) {
    throw new Problem('missing_scope', 'This takes the scope admin, or the role operator.');
  }
}

function bearerOf(request: HttpRequest): string {
  const match = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '');
  if (match?.[1] === undefined) throw unauthorized();
  return match[1];
}

function unauthorized(): Problem {
  return new Problem('unauthorized', 'Send a valid key as "Authorization: Bearer <key>", or sign in.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
