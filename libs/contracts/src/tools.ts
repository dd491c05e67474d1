import { z } from 'zod';
import { subject } from './run.js';
import { httpUrl, instant, integer, jsonObject, jsonPointer, name } from './shared.js';

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'is no header name');
const headerValue = z
  .string()
  .max(4096)
  .regex(/^[\t\x20-\x7e]*$/, 'takes visible ASCII characters');

const executor = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('http'),
      url: httpUrl,
      /** Sealed, bound to the url's origin, and never shown again. */
      headers: z.record(headerName, headerValue).optional(),
    }),
    z.strictObject({ type: z.literal('mcp'), server: name, tool: z.string().min(1).max(256) }),
    z.strictObject({ type: z.literal('client') }),
    z.strictObject({ type: z.literal('builtin'), handler: z.string().min(1).max(64) }),
  ])
  .meta({ id: 'ToolExecutor' });

const argumentPointers = z.record(z.string().min(1).max(128), jsonPointer);
const pointers = z.array(jsonPointer).max(64);

const definition = {
  description: z.string().min(1).max(4096),
  parameters: jsonObject.meta({ description: 'JSON Schema, draft 2020-12, of an object.' }),
  effect: z.enum(['read', 'idempotent', 'once']),
  executor,
  intent: pointers.min(1).optional(),
  intentScope: z.enum(['operation', 'subject', 'tenant']).optional(),
  inject: argumentPointers.optional(),
  constrain: argumentPointers.optional(),
  editable: pointers.optional(),
  fresh: z.boolean().optional(),
  timeoutMs: integer(1, 2_592_000_000).optional(),
  retries: integer(0, 10).optional(),
  resultMaxBytes: integer(256, 1_048_576).optional(),
  check: z.strictObject({ url: httpUrl }).optional(),
  money: z
    .strictObject({
      path: jsonPointer,
      currency: z.string().regex(/^[A-Z]{3}$/, 'takes a code such as "USD"'),
    })
    .optional(),
  reconcile: z.strictObject({ url: httpUrl }).optional(),
  onUnknown: z.enum(['ask', 'tell']).optional(),
};

/** The name comes from the path. */
export const toolPut = z.strictObject(definition).meta({ id: 'ToolPut' });
export type ToolPut = z.output<typeof toolPut>;

export const toolCreate = z.strictObject({ name, ...definition }).meta({ id: 'ToolCreate' });
export type ToolCreate = z.output<typeof toolCreate>;

/** A tool with every default filled in. Its headers are never shown, only whether it has any. */
export const tool = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    ...definition,
    executor: z.union([
      z.strictObject({ type: z.literal('http'), url: z.string(), hasHeaders: z.boolean() }),
      z.looseObject({ type: z.enum(['mcp', 'client', 'builtin']) }),
    ]),
    intent: pointers.nullable(),
    editable: pointers.nullable(),
    check: z.strictObject({ url: z.string() }).nullable(),
    money: z.strictObject({ path: z.string(), currency: z.string() }).nullable(),
    reconcile: z.strictObject({ url: z.string() }).nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .required()
  .meta({ id: 'Tool' });
export type Tool = z.output<typeof tool>;

export const toolCreated = tool
  .extend({ signingSecret: z.string().nullable().meta({ description: '`whsec_...`, shown this once.' }) })
  .meta({ id: 'ToolCreated' });

export const toolSecret = z.strictObject({ signingSecret: z.string() }).meta({ id: 'ToolSecret' });

export const toolTest = z
  .strictObject({ arguments: jsonObject, subject: subject.optional() })
  .meta({ id: 'ToolTest', examples: [{ arguments: { orderId: 7 }, subject: { id: 'customer-1' } }] });
export type ToolTest = z.output<typeof toolTest>;

/** What came of a test. `arguments` are those that were sent: defaults filled in, injected ones included. */
export const toolTestResult = z
  .strictObject({
    status: z.enum(['succeeded', 'failed', 'unknown']),
    arguments: jsonObject,
    output: z.unknown(),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    attempts: integer(0, 1_000),
  })
  .meta({ id: 'ToolTestResult' });
