// API and worker, as they are started in production. They share this process's group, so that they end with it.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { inRoot } from '../../tools/launcher/paths.mjs';
import { freePort } from '../../tools/launcher/ports.mjs';
import { server } from '../../tools/launcher/programs.mjs';

/** @typedef {{ pid: number, url: string, stop(): Promise<void> }} Program */

/** Each profile is whole only once its process has ended by itself. */
const GRACE_MS = 20_000;
const READY_MS = 60_000;

/**
 * Starts one of them and waits until it is ready.
 *
 * @param {'api' | 'worker'} name
 * @param {{ profile?: string | undefined, env?: Record<string, string> }} [options] `profile`: a folder for its CPU profile
 * @returns {Promise<Program>}
 */
export async function startProgram(name, { profile, env = {} } = {}) {
  const port = await freePort();
  const { DATABASE_MIGRATION_URL: _owner, ...inherited } = process.env;
  const child = spawn(process.execPath, [...profiling(name, profile), ...server(name).args], {
    cwd: inRoot(),
    env: {
      ...inherited,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      // The scripted model belongs to demonstrations.
      COUNTERSIGN_DEMO: '1',
      // The tool that is called over HTTP is on this machine.
      COUNTERSIGN_ALLOW_PRIVATE_NETWORK: '1',
      COUNTERSIGN_DEMO_SHOP_PORT: String(await freePort()),
      [name === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port),
      ...env,
    },
    stdio: ['ignore', 2, 2],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await ready(`${url}/readyz`, name, () => child.exitCode !== null);
  return {
    pid: child.pid ?? 0,
    url,
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** @param {string} name @param {string | undefined} folder */
function profiling(name, folder) {
  if (folder === undefined) {
    return [];
  }
  mkdirSync(folder, { recursive: true });
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`];
}

/** @param {string} url @param {string} name @param {() => boolean} gone */
async function ready(url, name, gone) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && !gone()) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} did not become ready`);
}
