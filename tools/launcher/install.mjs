// Runs before anything is installed: nothing but Node's own modules may be imported here.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';
import { StartError, say } from './say.mjs';

const OLDEST_NODE = [20, 19];

/** Installs what package-lock.json names when any of it is missing; resolves at once when all is there. */
export async function ensureInstalled() {
  refuseOldNode(process.versions.node);
  loadDotEnv();
  const missing = missingPackages(readJson('package-lock.json'), readJson('node_modules/.package-lock.json'));
  if (missing.length === 0) {
    return;
  }
  say(`Installing packages: ${missing.length} are missing (npm ci, about half a minute)`);
  const code = await npmCi();
  if (code !== 0) {
    throw new StartError(`npm ci failed with exit code ${code}: see its message above`);
  }
}

/** @param {string} version of Node, as in process.versions.node */
export function refuseOldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new StartError(`Node is ${version}; Countersign takes ${OLDEST_NODE.join('.')} or newer`);
  }
}

/**
 * Which packages of the lock are not installed in the version that it names. Optional ones do not count: npm
 * leaves out those of other platforms.
 *
 * @typedef {{ packages?: Record<string, { version?: string, link?: boolean, optional?: boolean, devOptional?: boolean }> }} Lock
 * @param {Lock | undefined} wanted package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json, written by npm
 * @returns {string[]}
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted?.packages ?? {})
    .filter(([place]) => place.includes('node_modules/'))
    .filter(([, entry]) => entry.optional !== true && entry.devOptional !== true)
    .filter(([place, entry]) => {
      const found = installed?.packages?.[place];
      return found === undefined || (entry.link !== true && found.version !== entry.version);
    })
    .map(([place]) => place);
}

/** @param {string} name @returns {Lock | undefined} */
function readJson(name) {
  const file = path.join(root, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Settings may be kept in a file .env; what the environment says already wins. */
function loadDotEnv() {
  const file = path.join(root, '.env');
  if (existsSync(file)) {
    process.loadEnvFile(file);
  }
}

/** @returns {Promise<number>} */
function npmCi() {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['ci', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
    child.on('error', (error) => reject(new StartError(`npm could not be run: ${error.message}`)));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
