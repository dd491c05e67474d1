// The demo's first content is made once for each database, before anything runs; the key that opens it is kept in the data
// directory. Later starts ask the seed again, beside everything else: the model of the demo's agents follows the keys of
// providers that there are.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { target } from './connect.mjs';
import { inRoot } from './paths.mjs';
import { runToEnd } from './run-to-end.mjs';
import { StartError, say } from './say.mjs';

/** Of the data directory: for each database, what opens its demo. */
export const DEMO_FILE = 'demo.json';

/**
 * What the seed gives: one line of JSON on its standard output. Nothing when the demo is there already.
 *
 * @typedef {{ apiKey: string, signIns?: { email: string, password: string, role: string }[] }} Demo
 */

/** Whether the demo was made by an earlier start. @param {{ file: string, database: string }} options */
export function isKept({ file, database }) {
  return keptDemos(file)[database] !== undefined;
}

/**
 * @param {object} options
 * @param {string} options.file of the data directory, mode 0600
 * @param {string} options.database which database the demo is in
 * @param {Record<string, string | undefined>} options.env
 * @returns {Promise<Demo | undefined>} undefined when there is no demo, or its key was shown to somebody else
 */
export async function seedDemo({ file, database, env }) {
  const kept = keptDemos(file);
  const made = await seed(env);
  if (made !== undefined) {
    writeFileSync(file, `${JSON.stringify({ ...kept, [database]: made }, null, 2)}\n`, { mode: 0o600 });
  }
  return made ?? kept[database];
}

/** @param {string} file @returns {Record<string, Demo>} */
export function keptDemos(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** @param {Record<string, string | undefined>} env @returns {Promise<Demo | undefined>} */
export async function seed(env) {
  const script = inRoot('apps/api/dist/seed.js');
  if (!existsSync(script)) {
    return undefined;
  }
  const { code, stdout, output } = await runToEnd(process.execPath, [script], { env });
  if (code !== 0) {
    throw new StartError(`The demo could not be made:\n${output.trim()}`);
  }
  return parseSeed(stdout);
}

/**
 * @param {string} stdout of the seed
 * @returns {Demo | undefined}
 */
export function parseSeed(stdout) {
  const line = stdout
    .trim()
    .split('\n')
    .findLast((one) => one.startsWith('{'));
  const found = line === undefined ? {} : JSON.parse(line);
  return typeof found.apiKey === 'string' ? found : undefined;
}

/** Under which name a database's demo is kept. @param {string | undefined} url undefined: the embedded database */
export function databaseName(url) {
  if (url === undefined) {
    return 'embedded';
  }
  const { host, port, database } = target(url);
  return `${host}:${port}/${database}`;
}

/** @param {Demo} demo */
export function showDemo({ apiKey, signIns = [] }) {
  for (const { email, password, role } of signIns) {
    say(`  Sign in      ${email} / ${password} (${role})`);
  }
  say(`  Demo API key ${apiKey}`);
}
