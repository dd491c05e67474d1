import { createInterface } from 'node:readline';
import { createDatabase } from './database.mjs';
import { lastPanic } from './engine.mjs';

/** The code that Prisma's command line takes for "see the data field". */
const FAILED = 4466;

/**
 * @typedef {import('@prisma/schema-engine-wasm/schema_engine_bg').SchemaEngine} SchemaEngine
 * @typedef {Record<string, (params: unknown) => Promise<unknown>>} Methods
 */

/**
 * Answers requests until standard input ends, each as soon as it is done.
 *
 * @param {{ openEngine: () => Promise<SchemaEngine>, url: string | undefined }} options
 */
export function serve({ openEngine, url }) {
  const call = caller(openEngine, url);
  const running = new Set();
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    const message = line.trim() === '' ? undefined : JSON.parse(line);
    if (message === undefined || answered(message)) {
      return;
    }
    const work = call(message.method, message.params).then(
      (result) => send({ jsonrpc: '2.0', id: message.id, result: result ?? null }),
      (error) => send({ jsonrpc: '2.0', id: message.id, error: rpcError(error) }),
    );
    running.add(work);
    work.finally(() => running.delete(work));
  });
  lines.on('close', async () => {
    await Promise.allSettled([...running]);
    process.exit(0);
  });
}

/** @param {() => Promise<SchemaEngine>} openEngine @param {string | undefined} url */
function caller(openEngine, url) {
  /** @type {Promise<SchemaEngine> | undefined} */
  let opened;
  const engine = () => {
    opened ??= openEngine();
    return opened;
  };
  return async (/** @type {string} */ method, /** @type {unknown} */ params) => {
    if (method === 'createDatabase') {
      const named = /** @type {{ datasource: { url: string } }} */ (params);
      return { databaseName: await createDatabase(url ?? named.datasource.url) };
    }
    if (method === 'getDatabaseVersion') {
      return (await engine()).version(/** @type {Parameters<SchemaEngine['version']>[0]} */ (params ?? null));
    }
    if (method === 'diff') {
      const result = await (await engine()).diff(/** @type {Parameters<SchemaEngine['diff']>[0]} */ (params));
      if (result.stdout) {
        await print(result.stdout);
      }
      return { exitCode: result.exitCode, stdout: null };
    }
    const methods = /** @type {Methods} */ (/** @type {unknown} */ (await engine()));
    if (typeof methods[method] !== 'function') {
      throw new Error(`the schema engine has no method ${method}`);
    }
    return (await methods[method](params)) ?? {};
  };
}

let printed = 0;
/** @type {Map<string, () => void>} */
const unanswered = new Map();

/** Has the command line print something: a request in the other direction. @param {string} content @returns {Promise<void>} */
function print(content) {
  return new Promise((resolve) => {
    printed += 1;
    const id = `print-${printed}`;
    unanswered.set(id, resolve);
    send({ jsonrpc: '2.0', id, method: 'print', params: { content } });
  });
}

/** Whether a message answers one of our own requests. @param {{ id: string, method?: string }} message */
function answered({ id, method }) {
  if (method !== undefined) {
    return false;
  }
  unanswered.get(id)?.();
  unanswered.delete(id);
  return true;
}

/** @param {unknown} message */
function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** The engine throws its own errors as JSON text. @param {unknown} error */
function rpcError(error) {
  const text = error instanceof Error ? error.message : String(error);
  const panic = lastPanic();
  /** @type {{ is_panic?: boolean, message?: string, meta?: unknown, error_code?: string }} */
  let data = { is_panic: panic !== undefined, message: panic ?? text };
  try {
    const { is_panic = false, message, meta, error_code } = JSON.parse(text);
    data = { is_panic, message, meta, error_code };
  } catch {
    // An error of the driver: its text is all there is.
  }
  return { code: FAILED, message: 'An error happened. Check the data field for details.', data };
}
