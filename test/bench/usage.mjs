// What processes use, as Linux tells it. Elsewhere there are no such files, and the figures are absent.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of a second in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** @typedef {{ parent: number, own: number, reaped: number }} Times seconds of CPU: its own, and of children that ended */

/** @param {number} pid @returns {Times | undefined} */
function timesOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold blanks and parentheses: fields are counted from its end.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
    return { parent, own: (user + system) / TICKS, reaped: (childUser + childSystem) / TICKS };
  } catch {
    return undefined;
  }
}

/** Seconds of CPU that a process has used. @param {number} pid @returns {number | undefined} */
export function cpuSeconds(pid) {
  return timesOf(pid)?.own;
}

/** The same of a server and all the processes that it forked, those that ended included. @param {number} pid */
export function cpuSecondsOfTree(pid) {
  const root = timesOf(pid);
  if (root === undefined) {
    return undefined;
  }
  const others = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [timesOf(Number(name))] : []));
  const children = others.filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), root.own + root.reaped);
}

/** The process that forked this one. @param {number} pid */
export function parentOf(pid) {
  return timesOf(pid)?.parent;
}

/** Resident memory in bytes. @param {number} pid @returns {number | undefined} */
export function residentBytes(pid) {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/**
 * Looks at the resident memory of processes until it is stopped.
 *
 * @param {Record<string, number>} pids by name
 * @returns {{ stop(): Record<string, number> }} the most that was seen, by name
 */
export function watchMemory(pids) {
  /** @type {Record<string, number>} */
  const most = {};
  const look = () => {
    for (const [name, pid] of Object.entries(pids)) {
      most[name] = Math.max(most[name] ?? 0, residentBytes(pid) ?? 0);
    }
  };
  look();
  const timer = setInterval(look, 50);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return most;
    },
  };
}
