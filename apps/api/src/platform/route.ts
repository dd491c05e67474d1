import type { Scope } from '@countersign/contracts';
import type { z } from 'zod';
import type { ProblemCode } from './problem.js';

/** Of a tenant: a key or a member with a scope, or (`operator_role`) with `admin`, or a member whose role is operator. */
export type TenantAccess = Scope | 'operator_role';

/**
 * Who may call a route: somebody of a tenant; any key or person (`caller`); a person with a session
 * (`session`); the platform's operator; everybody; everybody but pages of other origins (`own_pages`); or (`loopback`)
 * everybody while the process listens on loopback alone and the operator otherwise.
 */
export type Access = TenantAccess | 'caller' | 'session' | 'operator' | 'public' | 'own_pages' | 'loopback';

/** One route of the contract: routing, access, parsing and OpenAPI all come from this. */
export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the contract writes it: `/v1/tools/{name}`. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** Path parameters; what does not fit is 404. Absent: any text. */
  readonly params?: z.ZodObject;
  /** The body of a success; null where there is none. */
  readonly ok: z.ZodType | null;
  /** 200 unless given. */
  readonly status?: number;
  /** Whether it also answers `text/event-stream`, or only that: `ok` is the data of its events then. */
  readonly stream?: 'also' | 'only';
  /** Refusals of the route itself, beside those that every route shares. */
  readonly problems?: readonly ProblemCode[];
  /** A creating POST: takes `Idempotency-Key`. `secrets` are members of the answer that a replay gives as null. */
  readonly idempotent?: { readonly secrets?: readonly string[] };
}

type Handler = (...parameters: never[]) => unknown;

const specs = new Map<unknown, RouteSpec>();

/** Remembers which route a controller's method serves. */
export function registerRoute(handler: Handler, spec: RouteSpec): void {
  specs.set(handler, spec);
}

/**
 * The route that a controller's method serves.
 * @throws Error where it has none: every handler is declared with `Route`.
 */
export function routeOf(handler: unknown): RouteSpec {
  const spec = specs.get(handler);
  if (spec === undefined) throw new Error('The handler is not declared with Route');
  return spec;
}

/** Every route there is, in the order of declaration. */
export function allRoutes(): readonly RouteSpec[] {
  return [...specs.values()];
}

/** Methods that a path takes; empty where there is no such path. */
export function methodsOf(path: string): readonly string[] {
  return allRoutes()
    .filter((spec) => patternOf(spec.path).test(path))
    .map((spec) => spec.method);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
}
