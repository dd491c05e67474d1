// The data directory belongs to one launcher at a time. Its lock names that launcher and the processes that it
// started, so that the next one can tell a live launcher from a dead one and end what a killed one left behind.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from './error-code.mjs';
import { startTimeOf } from './process-identity.mjs';
import { kill } from './processes.mjs';
import { StartError, say } from './say.mjs';

const LOCK = 'lock.json';

/**
 * @typedef {{ name: string, pid: number, started: string | undefined }} Recorded
 * @typedef {{ pid: number, started: string | undefined, children: Recorded[] }} Lock
 */

export class DataDirectory {
  /** @type {Lock} */
  #lock = { pid: process.pid, started: startTimeOf(process.pid), children: [] };

  /** @param {string} folder absolute */
  constructor(folder) {
    this.folder = folder;
  }

  /** @param {string} name */
  file(name) {
    return path.join(this.folder, name);
  }

  /** Takes the directory, making it first when it is not there. Refused while another launcher has it. */
  async take() {
    try {
      mkdirSync(this.folder, { recursive: true });
      // Others may pass through to what is theirs (Postgres runs as another user when we are root), not look around.
      chmodSync(this.folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    } catch (error) {
      throw new StartError(
        `COUNTERSIGN_DATA_DIR is ${this.folder}; it takes a folder that can be written (${errorCode(error)})`,
      );
    }
    const before = this.#readLock();
    if (before !== undefined) {
      if (isAlive(before)) {
        throw new StartError(
          `${this.folder} is in use by process ${before.pid}: stop that one first, or set COUNTERSIGN_DATA_DIR`,
        );
      }
      await endOrphans(before.children);
      rmSync(this.file(LOCK), { force: true });
    }
    this.#write('wx');
  }

  /**
   * Remembers a process, so that it can be ended should this launcher be killed.
   *
   * @param {string} name @param {number} pid
   */
  record(name, pid) {
    this.#lock.children.push({ name, pid, started: startTimeOf(pid) });
    this.#write('w');
  }

  /** Gives the directory back, once everything that was recorded has ended. */
  release() {
    rmSync(this.file(LOCK), { force: true });
  }

  /** @param {'w' | 'wx'} flag */
  #write(flag) {
    try {
      writeFileSync(this.file(LOCK), JSON.stringify(this.#lock), { flag, mode: 0o600 });
    } catch (error) {
      throw new StartError(
        errorCode(error) === 'EEXIST'
          ? `${this.folder} has just been taken by another start`
          : `${this.folder} cannot be written (${errorCode(error)})`,
      );
    }
  }

  /** @returns {Lock | undefined} */
  #readLock() {
    try {
      return JSON.parse(readFileSync(this.file(LOCK), 'utf8'));
    } catch (error) {
      // Half a lock was left by a launcher that died while it wrote: nobody holds it.
      return errorCode(error) === 'ENOENT' ? undefined : { pid: 0, started: undefined, children: [] };
    }
  }
}

/** @param {{ pid: number, started: string | undefined }} one */
function isAlive({ pid, started }) {
  return pid > 0 && started !== undefined && startTimeOf(pid) === started;
}

/** @param {Recorded[]} children of a launcher that is gone */
async function endOrphans(children) {
  const left = children.filter(isAlive);
  if (left.length === 0) {
    return;
  }
  say(`Ending what a killed start left behind: ${left.map(({ name }) => name).join(', ')}`);
  for (const one of left.toReversed()) {
    // Postgres waits for its clients on SIGTERM; SIGINT ends it at once and cleanly.
    kill(one.pid, one.name === 'postgres' ? 'SIGINT' : 'SIGTERM');
  }
  const deadline = Date.now() + 5_000;
  while (left.some(isAlive) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const one of left.filter(isAlive)) {
    kill(-one.pid, 'SIGKILL');
  }
}
