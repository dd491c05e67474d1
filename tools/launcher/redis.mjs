import { accessSync, constants, openSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { freePort } from './ports.mjs';
import { StartError } from './say.mjs';
import { password } from './secrets.mjs';
import { serviceUser } from './unprivileged-user.mjs';

const SERVERS = ['redis-server', 'valkey-server'];
const START_MS = 10_000;

/**
 * A private Redis for the queue when the PATH has one, else undefined: the queue then lives in Postgres. It keeps
 * nothing on disk, since jobs are wake-ups and Postgres holds all truth (invariant I7).
 *
 * @param {object} options
 * @param {import('./data-directory.mjs').DataDirectory} options.directory for its log
 * @param {import('./processes.mjs').Processes} options.processes
 * @returns {Promise<string | undefined>} its URL
 */
export async function startRedis({ directory, processes }) {
  const command = findOnPath(SERVERS, process.env.PATH ?? '');
  if (command === undefined) {
    return undefined;
  }
  const port = await freePort();
  const log = directory.file('redis.log');
  const secret = password();
  const configuration = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${secret}`,
    'maxmemory-policy noeviction',
    'save ""',
    'appendonly no',
    'daemonize no',
    'loglevel warning',
  ];
  const running = processes.start({
    name: 'redis',
    command,
    args: ['-'],
    cwd: '/',
    output: openSync(log, 'w', 0o600),
    // By standard input, so that the password is not on the command line for all to see.
    input: `${configuration.join('\n')}\n`,
    ...serviceUser(),
  });
  const ended = await Promise.race([running.ended, answers(port)]);
  if (ended !== undefined) {
    throw new StartError(`${path.basename(command)} did not start: see ${log}`);
  }
  return `redis://:${secret}@127.0.0.1:${port}`;
}

/** @param {string[]} names @param {string} searchPath */
export function findOnPath(names, searchPath) {
  const folders = searchPath.split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {number} port @returns {Promise<undefined>} */
async function answers(port) {
  const deadline = Date.now() + START_MS;
  while (!(await accepts(port))) {
    if (Date.now() > deadline) {
      throw new StartError(`Redis did not answer within ${START_MS / 1000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
