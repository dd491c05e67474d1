import { z } from 'zod';

/**
 * A JSON value whose digits matter (a subject, metadata, arguments, a schema). Whoever reads a body without losing
 * digits finds its own tree in here, numbers as that reader represents them; everybody else plain JSON.
 */
export type JsonPayload = unknown;

/** Any JSON value, kept as it came. */
export const jsonPayload = z.unknown().refine((value) => value !== undefined, 'is required');

/** A JSON object, kept as it came. */
export const jsonObject = z
  .unknown()
  .refine((value) => isPlainObject(value), 'must be an object')
  .meta({ type: 'object' });

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A number that a lossless reader kept as its digits. */
function isExactNumber(value: unknown): value is { readonly value: string } {
  return typeof value === 'object' && value !== null && 'isLosslessNumber' in value && !isPlainObject(value);
}

/** Numbers of the wire, whether the reader keeps digits or not. */
const plainNumber = (value: unknown): unknown => (isExactNumber(value) ? Number(value.value) : value);

/** An integer from `minimum` to `maximum`. */
export const integer = (minimum: number, maximum: number) =>
  z.preprocess(plainNumber, z.number().int().min(minimum).max(maximum));

/** A number from `minimum` to `maximum`. */
export const number = (minimum: number, maximum: number) =>
  z.preprocess(plainNumber, z.number().min(minimum).max(maximum));

/** A name of a tool or an agent. */
export const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'takes 1 to 64 of a-z A-Z 0-9 _ -');

/** A text for people: not empty, at most 200 characters. */
export const label = z.string().min(1).max(200);

/** RFC 3339 in UTC, as every answer writes it. */
export const instant = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-10-21T09:30:00.000Z'] });

const FIRST_YEAR = Date.parse('0001-01-01T00:00:00.000Z');
const AFTER_YEARS = Date.parse('9999-12-31T23:59:59.999Z') + 1;

/** RFC 3339 with any offset, as requests may write it, in a year that it can also be written in in UTC: 1 to 9999. */
export const instantInput = z.iso
  .datetime({ offset: true })
  .refine(
    (value) => !(Date.parse(value) < FIRST_YEAR || Date.parse(value) >= AFTER_YEARS),
    'lies outside of the years 1 to 9999 in UTC',
  );

/** An amount of US dollars in a request: an exact decimal that is not negative. */
export const usdInput = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?$/, 'takes a decimal string such as "12.50"');

/** An amount of US dollars in an answer: an exact decimal with at least six decimals. */
export const usd = z.string().meta({ examples: ['0.012345'] });

/** A JSON pointer (RFC 6901) that names something below the root. */
export const jsonPointer = z
  .string()
  .max(512)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'takes a JSON pointer such as "/orderId"');

/** An address that is called over HTTP. Where it may lead is the egress guard's business. */
export const httpUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine(
    (value) => !URL.canParse(value) || new URL(value).username + new URL(value).password === '',
    'takes no user and no password in it',
  );

/** What a list is filtered by: any text that a column may hold. */
export const filter = z
  .string()
  .max(255)
  .refine((text) => !text.includes('\u0000'), 'holds NUL');

/** Query parameters of every list. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^([1-9][0-9]?|100)$/, 'takes a whole number from 1 to 100')
    .transform(Number)
    .optional()
    .meta({ description: 'How many rows, 1 to 100; 50 unless given.' }),
  after: z.string().max(512).optional().meta({ description: 'nextCursor of the page before.' }),
} as const;

/** The answer of every list. */
export const page = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ data: z.array(row), nextCursor: z.string().nullable() });

/** What each list verb is asked for. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** RFC 9457, the one form of every error. */
export const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type ProblemDocument = z.output<typeof problem>;

/** What a key may do. A route that no scope names needs `admin`. */
export const SCOPES = [
  'runs:read',
  'runs:write',
  'agents:read',
  'agents:write',
  'tools:write',
  'approvals:read',
  'approvals:decide',
  'budgets:write',
  'metrics:read',
  'audit:read',
  'admin',
] as const;
export const scope = z.enum(SCOPES).meta({ id: 'Scope' });
export type Scope = z.output<typeof scope>;
