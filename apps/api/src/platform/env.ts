import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from './log.js';

/** What tools and providers may reach besides public addresses. */
export type PrivateNetwork =
  | { readonly type: 'none' }
  | { readonly type: 'all' }
  | { readonly type: 'ranges'; readonly cidrs: readonly string[] };

/** A provider's credential of the deployment, and the base URL that it belongs to. Null where none is set. */
export interface DeploymentProvider {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** The environment of the API and the worker, read once at the start. */
export interface Environment {
  readonly databaseUrl: string;
  /** Null: the queue lives in Postgres. */
  readonly redisUrl: string | null;
  /** Where the API and the worker's health listen: loopback unless told. */
  readonly host: string;
  readonly apiPort: number;
  /** 0 picks a free one. */
  readonly workerPort: number;
  readonly dashboardPort: number;
  readonly dataDirectory: string;
  readonly adminKey: string;
  /** 64 hex digits: seals stored credentials. */
  readonly secret: string;
  readonly demo: boolean;
  /** Where the demo's shop listens, on loopback. */
  readonly demoShopPort: number;
  readonly privateNetwork: PrivateNetwork;
  readonly workerConcurrency: number;
  readonly workerLeaseSeconds: number;
  readonly logLevel: LogLevel;
  readonly otlpEndpoint: string | null;
  readonly providers: Readonly<Record<'openai' | 'anthropic' | 'google', DeploymentProvider>>;
  readonly testDataDirectory: string | null;
}

/** A wrong value: one line for people. */
export class EnvironmentError extends Error {}

interface Variable<Value> {
  readonly takes: string;
  readonly parse: z.ZodType<Value, string | undefined>;
  /** True: what it got is never printed. */
  readonly secret: boolean;
}

const variable = <Value>(takes: string, parse: z.ZodType<Value, string | undefined>): Variable<Value> => ({
  takes,
  parse,
  secret: false,
});
const secret = <Value>(takes: string, parse: z.ZodType<Value, string | undefined>): Variable<Value> => ({
  takes,
  parse,
  secret: true,
});

const text = z.string().min(1);
const optionalText = text.optional().transform((value) => value ?? null);
const wholeNumber = (minimum: number, maximum: number, byDefault: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .optional()
    .transform((value) => value ?? byDefault);
const url = (...protocols: readonly string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
const optionalUrl = (...protocols: readonly string[]) =>
  url(...protocols)
    .optional()
    .transform((value) => value ?? null);

const httpBase = () => variable('an http(s) URL', optionalUrl('http:', 'https:'));
const key = () => secret('a key', optionalText);

const isRange = (value: string): boolean => ipaddr.isValidCIDR(value);

const VARIABLES = {
  DATABASE_URL: secret('a postgres:// URL of the application role', url('postgres:', 'postgresql:')),
  REDIS_URL: secret('a redis:// URL', optionalUrl('redis:', 'rediss:')),
  COUNTERSIGN_HOST: variable(
    'an IP address to listen on (default 127.0.0.1)',
    z
      .string()
      .refine((value) => ipaddr.isValid(value))
      .default('127.0.0.1'),
  ),
  API_PORT: variable('a port from 0 to 65535 (default 3001)', wholeNumber(0, 65_535, 3001)),
  WORKER_PORT: variable('a port from 0 to 65535 (default 3002)', wholeNumber(0, 65_535, 3002)),
  DASHBOARD_PORT: variable('a port from 0 to 65535 (default 3000)', wholeNumber(0, 65_535, 3000)),
  COUNTERSIGN_DATA_DIR: variable('a folder (default .countersign)', text.default('.countersign')),
  COUNTERSIGN_ADMIN_KEY: secret('16 or more visible characters', z.string().regex(/^[\x21-\x7e]{16,512}$/)),
  COUNTERSIGN_SECRET: secret('64 hex digits', z.string().regex(/^[0-9a-fA-F]{64}$/)),
  COUNTERSIGN_DEMO: variable(
    '1 or 0 (default 0)',
    z
      .enum(['0', '1'])
      .default('0')
      .transform((value) => value === '1'),
  ),
  COUNTERSIGN_DEMO_SHOP_PORT: variable('a port from 1 to 65535 (default 3003)', wholeNumber(1, 65_535, 3003)),
  COUNTERSIGN_ALLOW_PRIVATE_NETWORK: variable('1, 0, or CIDRs apart by commas', privateNetwork()),
  WORKER_CONCURRENCY: variable('a whole number from 1 to 1000 (default 20)', wholeNumber(1, 1000, 20)),
  WORKER_LEASE_SECONDS: variable('a whole number from 1 to 300 (default 15)', wholeNumber(1, 300, 15)),
  LOG_LEVEL: variable(`one of ${LOG_LEVELS.join(', ')} (default info)`, z.enum(LOG_LEVELS).default('info')),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpBase(),
  OPENAI_API_KEY: key(),
  OPENAI_BASE_URL: httpBase(),
  ANTHROPIC_API_KEY: key(),
  ANTHROPIC_BASE_URL: httpBase(),
  GEMINI_API_KEY: key(),
  GOOGLE_GEMINI_BASE_URL: httpBase(),
  COUNTERSIGN_TEST_DATA: variable('a folder', optionalText),
};

function privateNetwork(): z.ZodType<PrivateNetwork, string | undefined> {
  return z
    .string()
    .default('0')
    .transform((value): readonly string[] => value.split(',').map((part) => part.trim()))
    .refine((parts) => (parts.length === 1 && (parts[0] === '0' || parts[0] === '1')) || parts.every(isRange))
    .transform((parts): PrivateNetwork => {
      if (parts[0] === '0') return { type: 'none' };
      return parts[0] === '1' ? { type: 'all' } : { type: 'ranges', cidrs: parts };
    });
}

/**
 * Reads and checks the environment (CONTRACT, Environment). An empty value counts as unset.
 * @throws EnvironmentError with one line: the variable, what it got, what it takes.
 */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): Environment {
  const read = <Name extends keyof typeof VARIABLES>(name: Name): ValueOf<Name> =>
    readVariable(name, VARIABLES[name] as unknown as Variable<ValueOf<Name>>, source[name]);
  return {
    databaseUrl: read('DATABASE_URL'),
    redisUrl: read('REDIS_URL'),
    host: read('COUNTERSIGN_HOST'),
    apiPort: read('API_PORT'),
    workerPort: read('WORKER_PORT'),
    dashboardPort: read('DASHBOARD_PORT'),
    dataDirectory: read('COUNTERSIGN_DATA_DIR'),
    adminKey: read('COUNTERSIGN_ADMIN_KEY'),
    secret: read('COUNTERSIGN_SECRET'),
    demo: read('COUNTERSIGN_DEMO'),
    demoShopPort: read('COUNTERSIGN_DEMO_SHOP_PORT'),
    privateNetwork: read('COUNTERSIGN_ALLOW_PRIVATE_NETWORK'),
    workerConcurrency: read('WORKER_CONCURRENCY'),
    workerLeaseSeconds: read('WORKER_LEASE_SECONDS'),
    logLevel: read('LOG_LEVEL'),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    providers: {
      openai: { apiKey: read('OPENAI_API_KEY'), baseUrl: read('OPENAI_BASE_URL') },
      anthropic: { apiKey: read('ANTHROPIC_API_KEY'), baseUrl: read('ANTHROPIC_BASE_URL') },
      google: { apiKey: read('GEMINI_API_KEY'), baseUrl: read('GOOGLE_GEMINI_BASE_URL') },
    },
    testDataDirectory: read('COUNTERSIGN_TEST_DATA'),
  };
}

type ValueOf<Name extends keyof typeof VARIABLES> = z.output<(typeof VARIABLES)[Name]['parse']>;

function readVariable<Value>(
  name: string,
  { parse, takes, secret }: Variable<Value>,
  raw: string | undefined,
): Value {
  const given = raw === '' ? undefined : raw;
  const parsed = parse.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new EnvironmentError(`${name}: got ${described(given, secret)}, takes ${takes}`);
}

function described(given: string | undefined, secret: boolean): string {
  if (given === undefined) return 'nothing';
  return secret ? `a value of ${given.length} characters` : JSON.stringify(given);
}
