import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { kill } from './processes.mjs';
import { StartError } from './say.mjs';

/** 128 and the signal's number, as shells count. */
const ENDED_BY_SIGTERM = 143;

/**
 * Runs one program of ours in the terminal's foreground, passes signals on to it, and resolves to its exit code.
 * Without a terminal it gets a process group of its own, so that nothing it started outlives the launcher.
 *
 * @param {string[]} args of Node
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<number>}
 */
export function foreground(args, env = process.env) {
  const apart = process.stdin.isTTY !== true;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit', detached: apart });
    let asked = false;
    process.on('SIGTERM', () => {
      asked = true;
      child.kill('SIGTERM');
    });
    // From a terminal, Ctrl-C reaches the child by itself.
    process.on('SIGINT', () => apart && child.kill('SIGINT'));
    process.once('exit', () => end(child.pid, apart));
    child.on('error', (error) => reject(new StartError(`${args[0]} could not be run: ${error.message}`)));
    child.on('exit', (code, signal) => {
      // Next says by its exit code that a signal ended it; asked to end, that is a good end.
      const ended = asked && (code === ENDED_BY_SIGTERM || signal === 'SIGTERM');
      resolve(ended ? 0 : (code ?? 1));
    });
  });
}

/** @param {number | undefined} pid @param {boolean} group */
function end(pid, group) {
  if (pid !== undefined) {
    kill(group ? -pid : pid, 'SIGKILL');
  }
}
