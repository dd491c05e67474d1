import type { z } from 'zod';
import { type JsonBody, readJsonBody } from './json-body.js';
import { plainWords } from './plain-words.js';
import { type FieldError, invalidContent, Problem } from './problem.js';
import type { RouteSpec } from './route.js';
import type { HttpRequest } from './tenant-context.js';

const IN_PLAIN_WORDS = { error: plainWords };

const bodies = new WeakMap<HttpRequest, Promise<JsonBody>>();

/** The body of a request, read once however many ask for it. */
export function bodyOf(request: HttpRequest): Promise<JsonBody> {
  const known = bodies.get(request);
  if (known !== undefined) return known;
  const body = readJsonBody(request);
  bodies.set(request, body);
  return body;
}

/** The body as the route's schema gives it. @throws Problem malformed_json, body_too_large, invalid_content. */
export async function parsedBody(request: HttpRequest, spec: RouteSpec): Promise<unknown> {
  if (spec.body === undefined) throw new Error(`${spec.method} ${spec.path} declares no body`);
  const body = await bodyOf(request);
  return parseContent(spec.body, body.value);
}

/** The query parameters as the route's schema gives them. @throws Problem invalid_content. */
export function parsedQuery(request: HttpRequest, spec: RouteSpec): unknown {
  if (spec.query === undefined) throw new Error(`${spec.method} ${spec.path} declares no query`);
  const parsed = spec.query.safeParse({ ...request.query }, IN_PLAIN_WORDS);
  if (parsed.success) return parsed.data;
  throw invalidContent(...fieldErrors(parsed.error, (path) => path.join('.')));
}

/** The path parameters. @throws Problem not_found for what could never be one. */
export function parsedParams(request: HttpRequest, spec: RouteSpec): unknown {
  if (spec.params === undefined) return request.params;
  const parsed = spec.params.safeParse({ ...request.params }, IN_PLAIN_WORDS);
  if (parsed.success) return parsed.data;
  const [error] = fieldErrors(parsed.error, (path) => path.join('.'));
  throw new Problem('not_found', `There is no such resource: ${error?.path} in the path ${error?.message}.`);
}

/** Judges content by a schema. @throws Problem invalid_content with a JSON pointer for each error. */
export function parseContent<Output>(schema: z.ZodType<Output>, content: unknown): Output {
  const parsed = schema.safeParse(content, IN_PLAIN_WORDS);
  if (parsed.success) return parsed.data;
  throw invalidContent(...fieldErrors(parsed.error, toPointer));
}

/** A JSON pointer (RFC 6901) of a path of keys. */
function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

type WritePath = (path: readonly PropertyKey[]) => string;

/** Zod's issues, the first of each path: unknown fields are named each, and unions give the errors of their likeliest member. */
function fieldErrors(error: z.ZodError, write: WritePath): readonly FieldError[] {
  const byPath = new Map<string, FieldError>();
  for (const each of error.issues.flatMap((issue) => issueErrors(issue, [], write))) {
    if (!byPath.has(each.path)) byPath.set(each.path, each);
  }
  return [...byPath.values()].slice(0, 50);
}

function issueErrors(issue: z.core.$ZodIssue, base: readonly PropertyKey[], write: WritePath): FieldError[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: write([...path, key]), message: 'unknown field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const likeliest = issue.errors.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best));
    if (depthOf(likeliest) > 0) return likeliest.flatMap((each) => issueErrors(each, path, write));
  }
  return [{ path: write(path), message: issue.message }];
}

/** How far a union's member came before it failed. */
function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)),
  );
}
