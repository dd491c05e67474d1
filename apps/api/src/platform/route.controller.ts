import {
  applyDecorators,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Patch,
  Post,
  Put,
  UseInterceptors,
} from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { createdIdOf } from './idempotency.js';
import type { IdPrefix } from './ids.js';
import { parsedBody, parsedParams, parsedQuery } from './parse.js';
import { type RouteSpec, registerRoute, routeOf } from './route.js';
import { callerOf, type HttpRequest, scopeOf } from './tenant-context.js';

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

/** Declares what a controller's method serves. The guard and the parameters below read it; OpenAPI is made of it. */
export function Route(spec: RouteSpec): MethodDecorator {
  const path = spec.path.replace(/\{([^}]+)\}/g, ':$1');
  const decorators = [METHODS[spec.method](path), HttpCode(spec.status ?? 200)];
  if (spec.idempotent !== undefined) decorators.push(UseInterceptors(IdempotencyInterceptor));
  const decorate = applyDecorators(...decorators);
  return (target, property, descriptor) => {
    if (typeof descriptor.value !== 'function') throw new Error('Route decorates methods');
    registerRoute(descriptor.value as (...parameters: never[]) => unknown, spec);
    decorate(target, property, descriptor);
  };
}

const requestOf = (context: ExecutionContext): HttpRequest =>
  context.switchToHttp().getRequest<HttpRequest>();

/** The TenantScope of the caller. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  scopeOf(requestOf(context)),
);

/** The Caller of a route that belongs to no tenant. */
export const AnyCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(requestOf(context)),
);

/** The body, read losslessly and parsed by the route's schema. */
export const Body = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  parsedBody(requestOf(context), routeOf(context.getHandler())),
);

/** The query parameters, parsed by the route's schema. */
export const Query = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  parsedQuery(requestOf(context), routeOf(context.getHandler())),
);

/** The path parameters, parsed by the route's schema; what does not fit is 404. */
export const Params = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  parsedParams(requestOf(context), routeOf(context.getHandler())),
);

/** The CreatedId of what a creating POST makes: the same one where a request is performed again after a crash. */
export const NewId = createParamDecorator((prefix: IdPrefix, context: ExecutionContext) =>
  createdIdOf(requestOf(context), prefix),
);
