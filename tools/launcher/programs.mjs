// The three processes of the product, as they are run by hand and by the launcher.
import { existsSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** @typedef {'api' | 'worker' | 'dashboard'} ProgramName */

/**
 * A worker keeps the histories of all its runs alive. V8 lets its heap grow to four times that before it collects in full;
 * twice costs no time that can be measured. docker-compose.yml says the same.
 */
const WORKER_FLAGS = ['--heap-growing-percent=100'];

const SERVERS = {
  api: { flags: [], entry: 'apps/api/dist/main.js' },
  worker: { flags: WORKER_FLAGS, entry: 'apps/api/dist/worker.js' },
};

/**
 * API or worker, as Node runs it.
 *
 * @param {'api' | 'worker'} name
 */
export function server(name) {
  const { flags, entry } = SERVERS[name];
  return { args: [...flags, inRoot(entry)], built: inRoot(entry) };
}

/**
 * What Node runs for each, and what shows that it is built.
 *
 * @param {ProgramName} name
 * @param {import('./environment.mjs').Environment} environment
 */
export function program(name, environment) {
  if (name === 'dashboard') {
    const next = inRoot('node_modules/next/dist/bin/next');
    const args = [
      next,
      'start',
      inRoot('apps/dashboard'),
      '-p',
      String(environment.dashboardPort),
      '-H',
      '127.0.0.1',
    ];
    return { args, built: inRoot('apps/dashboard/.next/BUILD_ID') };
  }
  return server(name);
}

/** @param {ProgramName} name @param {import('./environment.mjs').Environment} environment */
export function isBuilt(name, environment) {
  return existsSync(program(name, environment).built);
}

/**
 * As `program`, started again by Node or by Next whenever what it runs changes.
 *
 * @type {typeof program}
 */
export function watchedProgram(name, environment) {
  const { args, built } = program(name, environment);
  return {
    args: name === 'dashboard' ? args.map((one) => (one === 'start' ? 'dev' : one)) : ['--watch', ...args],
    built,
  };
}
