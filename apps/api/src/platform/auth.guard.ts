import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from '@countersign/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { KeyCache, KnownKey } from './key-cache.js';
import { notFound, Problem } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import { routeOf } from './route.js';
import { bindScope, type HttpRequest } from './tenant-context.js';

/** Says who sends a request and whether they may: 401, 403, 404 and 429 of every route. */
export class AuthGuard implements CanActivate {
  private readonly adminDigest: Buffer;

  constructor(
    private readonly keys: KeyCache,
    private readonly rates: RateLimit,
    adminKey: string,
    private readonly onLoopback: boolean,
  ) {
    this.adminDigest = digestOf(adminKey);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { access } = routeOf(context.getHandler());
    if (access === 'public' || (access === 'loopback' && this.onLoopback)) return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const token = bearerOf(request);
    if (access === 'operator' || access === 'loopback') this.admitOperator(token);
    else await this.admitKey(request, token, access);
    return true;
  }

  private admitOperator(token: string): void {
    if (!timingSafeEqual(digestOf(token), this.adminDigest)) throw unauthorized();
  }

  private async admitKey(request: HttpRequest, token: string, scope: Scope): Promise<void> {
    const key = await this.keys.lookUp(digestOf(token).toString('hex'));
    if (key === null) throw unauthorized();
    const named = request.headers['x-tenant'];
    if (named !== undefined && named !== key.tenant) throw notFound('tenant');
    if (key.suspended) throw new Problem('tenant_suspended', 'The operator has suspended this tenant.');
    this.admitRate(key);
    const scopes = new Set(key.scopes);
    if (!scopes.has(scope)) throw new Problem('missing_scope', `The key lacks the scope ${scope}.`);
    bindScope(request, { tenant: key.tenant, actor: { type: 'key', id: key.id }, scopes });
  }

  private admitRate(key: KnownKey): void {
    const seconds = this.rates.take([key.id, key.tenant], key.requestsPerSecond);
    if (seconds > 0) {
      throw new Problem('rate_limited', `At most ${key.requestsPerSecond} requests a second.`, {
        headers: { 'retry-after': String(seconds) },
      });
    }
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function bearerOf(request: HttpRequest): string {
  const match = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '');
  if (match?.[1] === undefined) throw unauthorized();
  return match[1];
}

function unauthorized(): Problem {
  return new Problem('unauthorized', 'Send a valid key as "Authorization: Bearer <key>".', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
