import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process began, as the system tells it: with its id this names one process for good, since ids are used
 * again and start times are not. Undefined when there is no such process, or only what is left of one.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
export function startTimeOf(pid) {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** @param {number} pid */
function fromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may hold spaces: count from behind it (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function fromPs(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The command line of a live process, or an empty text.
 *
 * @param {number} pid
 */
export function commandOf(pid) {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
