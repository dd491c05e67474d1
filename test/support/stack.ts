import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cloneDatabase, openDatabase, type TestDatabase } from './database';
import { testServices } from './environment';
import { freePort, type ServerProcess, startServerProcess } from './server-process';

/** What a test needs to know of a stack; it crosses from the global setup to the tests as JSON. */
export interface StackAddress {
  readonly apiUrl: string;
  readonly adminKey: string;
  readonly databaseName: string;
  readonly logFiles: readonly string[];
}

/** An API and its workers on a database of their own. */
export interface Stack extends StackAddress {
  readonly database: TestDatabase;
  readonly api: ServerProcess;
  readonly workers: readonly ServerProcess[];
  /** The environment that every process of this stack was given. */
  readonly environment: Readonly<Record<string, string>>;
  /** One more worker; `environment` is added to the stack's own. */
  startWorker(environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  /** An API beside the first one, on another port. */
  startApi(environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  /** Ends every process and drops the database. */
  stop(): Promise<void>;
}

export interface StackOptions {
  readonly env?: Record<string, string>;
  /** How many workers to start with; 1 where it is not said. */
  readonly workers?: number;
}

const API = 'apps/api/dist/main.js';
const WORKER = 'apps/api/dist/worker.js';
/** A model of provider `openai-compatible` that every stack has a price for. */
export const TEST_MODEL = 'test-model';
const PRICE = { inputPerMTok: '2.00', cachedInputPerMTok: '0.50', outputPerMTok: '8.00' };

const SHARED = 'COUNTERSIGN_TEST_STACK';

/** Starts an own stack: for tests that kill a process or need an environment of their own. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = await cloneDatabase();
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'countersign-data-'));
  const adminKey = `admin_${randomBytes(16).toString('hex')}`;
  const environment = { ...(await environmentOf(database, dataDirectory, adminKey)), ...options.env };
  const processes: ServerProcess[] = [];
  const workers: ServerProcess[] = [];
  const start = async (name: 'api' | 'worker', entry: string, portVariable: string, more = {}) => {
    const port = await freePort();
    const own = { ...environment, ...more, [portVariable]: String(port) };
    const started = await startServerProcess({ name, args: [entry], port, environment: own });
    processes.push(started);
    return started;
  };
  const startApi = (more = {}) => start('api', API, 'API_PORT', more);
  const startWorker = async (more = {}): Promise<ServerProcess> => {
    const worker = await start('worker', WORKER, 'WORKER_PORT', more);
    workers.push(worker);
    return worker;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.kill()));
    await database.drop();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  const workerStarts = Array.from({ length: options.workers ?? 1 }, () => startWorker());
  const starts = Promise.allSettled([startApi(), ...workerStarts]);
  const api = await ready(starts, adminKey).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const logFiles = processes.map((process) => process.logFile);
  const address = { apiUrl: api.url, adminKey, databaseName: database.name, logFiles };
  return { ...address, database, api, workers, environment, startWorker, startApi, stop };
}

/** What every process of a stack is given, apart from its port. */
async function environmentOf(
  database: TestDatabase,
  dataDirectory: string,
  adminKey: string,
): Promise<Record<string, string>> {
  return {
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    ...queueOfOurOwn(),
    COUNTERSIGN_ADMIN_KEY: adminKey,
    COUNTERSIGN_SECRET: randomBytes(32).toString('hex'),
    COUNTERSIGN_DATA_DIR: dataDirectory,
    COUNTERSIGN_DEMO: '1',
    COUNTERSIGN_DEMO_SHOP_PORT: String(await freePort()),
    COUNTERSIGN_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8',
    WORKER_LEASE_SECONDS: '3',
  };
}

/** Runs a test on a stack of its own. Where the test fails, the last lines of each process come with the failure. */
export async function withStack(options: StackOptions, test: (stack: Stack) => Promise<void>): Promise<void> {
  const stack = await startStack(options);
  try {
    await test(stack);
  } catch (error) {
    const logs = [stack.api, ...stack.workers].map((process) => process.tail());
    throw new Error(`${messageOf(error)}\n\n${logs.join('\n\n')}`, { cause: error });
  } finally {
    await stack.stop();
  }
}

/** Hands the shared stack from the global setup to the test files. */
export function publishSharedStack(stack: StackAddress): void {
  const { apiUrl, adminKey, databaseName, logFiles } = stack;
  process.env[SHARED] = JSON.stringify({ apiUrl, adminKey, databaseName, logFiles });
}

/** The stack that all test files share. Tests keep apart by making tenants of their own. */
export function sharedStack(): StackAddress & { readonly database: TestDatabase } {
  const text = process.env[SHARED];
  if (text === undefined) throw new Error(`${SHARED} is not set: the global setup did not start a stack`);
  const address = JSON.parse(text) as StackAddress;
  return { ...address, database: openDatabase(address.databaseName) };
}

/** The API, once every process is ready and the test's model has a price. */
async function ready(
  starts: Promise<readonly PromiseSettledResult<ServerProcess>[]>,
  adminKey: string,
): Promise<ServerProcess> {
  const [api, ...workers] = (await starts).map((start) => {
    if (start.status === 'rejected') throw start.reason;
    return start.value;
  });
  if (api === undefined) throw new Error(`no API beside ${workers.length} workers`);
  await setPrice(api.url, adminKey);
  return api;
}

async function setPrice(apiUrl: string, adminKey: string): Promise<void> {
  const response = await fetch(`${apiUrl}/admin/v1/models/openai-compatible/${TEST_MODEL}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(PRICE),
  });
  if (!response.ok)
    throw new Error(`no price for ${TEST_MODEL}: ${response.status} ${await response.text()}`);
}

let queues = 0;

/** On Redis each stack has a database number of its own, or a wake-up of one would be swallowed by another. */
function queueOfOurOwn(): Record<string, string> {
  const { redisUrl } = testServices();
  if (redisUrl === null) return {};
  const worker = Number(process.env.JEST_WORKER_ID ?? '0');
  queues += 1;
  const url = new URL(redisUrl);
  url.pathname = `/${(worker * 5 + queues) % 16}`;
  return { REDIS_URL: url.toString() };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
