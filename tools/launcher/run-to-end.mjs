import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { kill } from './processes.mjs';
import { StartError } from './say.mjs';

/**
 * Runs a program to its end and gives what it wrote. It does not outlive the launcher.
 *
 * @param {string} command @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, uid?: number, gid?: number }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>} output holds stderr as well
 */
export function runToEnd(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const endIt = () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        kill(-child.pid, 'SIGKILL');
      }
    };
    process.once('exit', endIt);
    child.on('error', (error) => reject(new StartError(`${command} could not be run: ${error.message}`)));
    child.on('close', (code) => {
      process.off('exit', endIt);
      resolve({ code: code ?? 1, stdout, output });
    });
  });
}
