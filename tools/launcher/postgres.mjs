// The embedded Postgres: on the loopback address alone, at a random port, with passwords, never as root.
import { chownSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { errorCode } from './error-code.mjs';
import { freePort } from './ports.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';
import { commandOf } from './process-identity.mjs';
import { runToEnd } from './run-to-end.mjs';
import { StartError } from './say.mjs';
import { serviceFolder, serviceUser } from './unprivileged-user.mjs';

const MAJOR = '18';
const START_MS = 60_000;
const SUPERUSER = 'postgres';

/**
 * Starts Postgres on the data of this directory, made when there is none.
 *
 * @param {object} options
 * @param {import('./data-directory.mjs').DataDirectory} options.directory
 * @param {import('./processes.mjs').Processes} options.processes
 * @param {import('./secrets.mjs').Passwords} options.passwords
 * @param {boolean} options.durable false lets the disk lag behind: for tests alone
 * @param {boolean} [options.comesBack] started again whenever it ends: for tests that end it
 * @returns {Promise<{ port: number, superuserUrl: string }>}
 */
export async function startPostgres({ directory, processes, passwords, durable, comesBack = false }) {
  const user = serviceUser();
  const bin = path.join(postgresBinaries(user !== undefined), 'bin');
  const home = serviceFolder(directory.folder, 'postgres', user);
  const data = path.join(home, 'data');
  if (!existsSync(data)) {
    await makeData({ bin, home, data, user, password: passwords.superuser });
  }
  refuseOtherMajor(data);

  const port = await freePort();
  const log = directory.file('postgres.log');
  const output = openSync(log, 'w', 0o600);
  const start = () => {
    removeStalePid(data);
    return processes.start({
      name: 'postgres',
      command: path.join(bin, 'postgres'),
      args: ['-D', data, ...settings({ port, durable })],
      env: environment(),
      cwd: '/',
      output,
      stopSignal: 'SIGINT',
      ...user,
    });
  };
  const running = start();
  const superuserUrl = databaseUrl({
    user: SUPERUSER,
    password: passwords.superuser,
    port,
    database: 'postgres',
  });
  await answers(superuserUrl, running, log);
  if (comesBack) {
    startAgain(start, running);
  }
  return { port, superuserUrl };
}

/**
 * At the same port and on the same data, until everything is being stopped.
 *
 * @param {() => import('./processes.mjs').Running} start @param {import('./processes.mjs').Running} running
 */
async function startAgain(start, running) {
  await running.ended;
  try {
    startAgain(start, start());
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
  }
}

/** @param {{ user: string, password: string, port: number, database: string }} parts */
export function databaseUrl({ user, password, port, database }) {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** @param {{ port: number, durable: boolean }} options */
function settings({ port, durable }) {
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    log_min_messages: 'warning',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Ours without the variables that Postgres' own programs would obey. */
function environment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * @param {{ bin: string, home: string, data: string, user: import('./unprivileged-user.mjs').User | undefined, password: string }} options
 */
async function makeData({ bin, home, data, user, password }) {
  const half = `${data}.new`;
  const passwordFile = path.join(home, 'initial-password');
  rmSync(half, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) {
    chownSync(passwordFile, user.uid, user.gid);
  }
  const args = [
    '-D',
    half,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const command = [...args, ...locale, '--no-instructions'];
  try {
    const options = { env: environment(), cwd: '/', ...user };
    const { code, output } = await runToEnd(path.join(bin, 'initdb'), command, options);
    if (code !== 0) {
      throw new StartError(`Postgres' data could not be made: ${output.trim().split('\n').at(-1)}`);
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // Only whole data gets the name: an interrupted initdb is begun anew.
  renameSync(half, data);
}

/** @param {string} data */
function refuseOtherMajor(data) {
  const major = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (major !== MAJOR) {
    throw new StartError(
      `${data} was made by Postgres ${major}; this one is ${MAJOR}: move the data with pg_dump`,
    );
  }
}

/**
 * The lock of the data directory is ours by now, so a pid file is either stale (a crash, and its number may be another
 * program's today) or belongs to a Postgres that somebody started by hand.
 *
 * @param {string} data
 */
function removeStalePid(data) {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) {
    return;
  }
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const command = commandOf(pid);
  if (command.includes('postgres') && command.includes(data)) {
    throw new StartError(`Postgres already runs on ${data} as process ${pid}: stop that one first`);
  }
  rmSync(file);
}

/** @param {string} url @param {import('./processes.mjs').Running} running @param {string} log */
async function answers(url, running, log) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, ssl: false });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (errorCode(error) === '28P01') {
        throw new StartError(
          `The passwords kept in the data directory are not those of its Postgres: ${path.dirname(log)}`,
        );
      }
    }
    const ended = await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    if (ended !== undefined) {
      throw new StartError(`Postgres did not start: ${lastLine(log) ?? running.program.command}`);
    }
  }
  throw new StartError(`Postgres did not answer within ${START_MS / 1000} s: see ${log}`);
}

/** @param {string} file */
function lastLine(file) {
  return readFileSync(file, 'utf8').trim().split('\n').at(-1) || undefined;
}
