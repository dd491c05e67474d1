import { problem } from '@countersign/contracts';
import { z } from 'zod';
import { SESSION_COOKIE } from './people.js';
import { PROBLEMS, type ProblemCode } from './problem.js';
import type { Access, RouteSpec } from './route.js';

type Json = Readonly<Record<string, unknown>>;

const PROBLEM_MEDIA = 'application/problem+json';
const STREAM_MEDIA = 'text/event-stream';

/** Who may call a route that no scope names. */
const AUDIENCES: Readonly<Partial<Record<Access, string>>> = {
  operator_role: 'The scope `admin`, or the role operator.',
  public: 'It is public.',
  own_pages: 'It is public, save for pages of other origins.',
  caller: 'Any key, and everybody who is signed in.',
  session: 'Everybody who is signed in.',
  operator: 'The operator\u2019s key, and operators who are signed in.',
  loopback: 'It is public on loopback; elsewhere for the operator.',
};

const isOpen = (access: Access): boolean => access === 'public' || access === 'own_pages';

/** The OpenAPI 3.1 document of the routes that were declared. */
export function openApiDocument(routes: readonly RouteSpec[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const methods = paths[route.path] ?? {};
    methods[route.method.toLowerCase()] = operationOf(route);
    paths[route.path] = methods;
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Countersign',
      version: '1',
      description: 'Runs LLM agents, with a person\u2019s signature on what has consequences.',
    },
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
      },
      schemas: componentSchemas(),
    },
  };
}

function operationOf(route: RouteSpec): Json {
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: AUDIENCES[route.access] ?? `Scope: \`${route.access}\`.`,
    tags: [tagOf(route.path)],
    ...(isOpen(route.access) ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
          },
        }),
    responses: { [String(route.status ?? 200)]: successOf(route), ...problemsOf(route) },
  };
}

/** `GET /v1/tools/{name}` is getV1ToolsName. */
function operationId(route: RouteSpec): string {
  const words = route.path.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  return route.method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function tagOf(path: string): string {
  const words = path.split('/').filter((word) => word !== '' && word !== 'v1');
  return words[0] === 'admin' ? 'admin' : (words[0] ?? 'platform');
}

function parametersOf(route: RouteSpec): readonly Json[] {
  const path = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(route.params?.shape[name ?? ''] ?? z.string(), 'input'),
  }));
  const query = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
  const header = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return route.idempotent === undefined ? [...path, ...query] : [...path, ...query, header];
}

function successOf(route: RouteSpec): Json {
  if (route.ok === null) return { description: 'Done.' };
  const schema = schemaOf(route.ok, 'output');
  if (route.stream === 'only') return { description: 'Done.', content: { [STREAM_MEDIA]: { schema } } };
  const content: Record<string, Json> = { 'application/json': { schema } };
  if (route.stream === 'also') content[STREAM_MEDIA] = { schema: { type: 'string' } };
  return { description: 'Done.', content };
}

/** Refusals by status; each names the codes that it may carry. */
function problemsOf(route: RouteSpec): Json {
  const shared: ProblemCode[] = isOpen(route.access) ? [] : ['unauthorized'];
  if (AUDIENCES[route.access] === undefined || route.access === 'operator_role') {
    shared.push('tenant_required', 'missing_scope', 'tenant_suspended', 'rate_limited');
  }
  if (route.access !== 'public' && route.method !== 'GET') shared.push('cross_origin');
  if (route.path.includes('{')) shared.push('not_found');
  if (route.body !== undefined) shared.push('malformed_json', 'body_too_large', 'unsupported_media_type');
  if (route.body !== undefined || route.query !== undefined) shared.push('invalid_content');
  if (route.idempotent !== undefined) shared.push('idempotency_key_reused', 'idempotency_in_progress');
  const codes = [...new Set([...shared, ...(route.problems ?? [])])];
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const named = codes.filter((code) => PROBLEMS[code].status === status);
      const description = named.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('\n');
      const schema = schemaOf(problem, 'output');
      return [String(status), { description, content: { [PROBLEM_MEDIA]: { schema } } }];
    }),
  );
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    uri: referenceOf,
    unrepresentable: 'any',
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema)]));
}

const referenceOf = (id: string): string => `#/components/schemas/${id}`;

/** A schema with an id becomes a reference; one without is written out, with references to those that have one. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: referenceOf(id) };
  const { $defs, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const text = JSON.stringify(withoutIds(written));
  return JSON.parse(text.replaceAll('"#/$defs/', `"${referenceOf('')}`));
}

function withoutIds(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $schema, $id, id, ...rest } = schema as Record<string, unknown>;
  return rest;
}
