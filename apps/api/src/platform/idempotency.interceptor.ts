import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { lastValueFrom, type Observable, of } from 'rxjs';
import {
  bindReservation,
  type IdempotencyStore,
  type IdempotentRequest,
  idempotencyKeyOf,
  withoutSecrets,
} from './idempotency.js';
import { bodyOf } from './parse.js';
import { Problem } from './problem.js';
import { RawJson, Reply, toJson } from './reply.js';
import { type RouteSpec, routeOf } from './route.js';
import { type HttpRequest, tenantOf } from './tenant-context.js';

export const IDEMPOTENCY_STORE = Symbol('IdempotencyStore');

/** Gives a creating POST that is repeated with its Idempotency-Key the first answer. Without the header it costs nothing. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(@Inject(IDEMPOTENCY_STORE) private readonly store: IdempotencyStore) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const key = idempotencyKeyOf(request);
    if (key === null) return next.handle();
    const spec = routeOf(context.getHandler());
    const use: IdempotentRequest = {
      tenant: tenantOf(request) ?? 'operator',
      route: `${spec.method} ${spec.path}`,
      key,
      bodyDigest: (await bodyOf(request)).digest(),
    };
    const state = await this.store.begin(use);
    if (state.type === 'first') {
      bindReservation(request, state);
      return of(await this.perform(use, spec, next));
    }
    if (state.type === 'done') {
      return of(new Reply(state.status, new RawJson(state.response), { 'idempotency-replayed': 'true' }));
    }
    throw state.type === 'other_body' ? reused() : underWay();
  }

  private async perform(use: IdempotentRequest, spec: RouteSpec, next: CallHandler): Promise<unknown> {
    let body: unknown;
    try {
      body = await lastValueFrom(next.handle());
    } catch (error) {
      await this.store.abandon(use);
      throw error;
    }
    const [status, content] =
      body instanceof Reply ? [body.status, body.body] : ([spec.status ?? 200, body] as const);
    await this.store.complete(use, status, toJson(withoutSecrets(content, spec.idempotent?.secrets ?? [])));
    return body;
  }
}

function reused(): Problem {
  return new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another body.');
}

function underWay(): Problem {
  return new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key has no answer yet.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}
