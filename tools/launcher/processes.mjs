import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorCode } from './error-code.mjs';
import { StartError, say } from './say.mjs';

/**
 * @typedef {object} Program
 * @property {string} name shown before each of its lines
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string | undefined>} [env] all of its environment; ours when absent
 * @property {string} [cwd]
 * @property {number} [uid] user and group to run as, when we are root
 * @property {number} [gid]
 * @property {number | 'lines'} output a file descriptor, or lines shown with the name before them
 * @property {string} [input] written to its standard input
 * @property {NodeJS.Signals} [stopSignal] SIGTERM unless it wants another
 *
 * @typedef {{ name: string, code: number | null, signal: NodeJS.Signals | null, error?: Error }} Ending
 * @typedef {{ program: Program, pid: number, ended: Promise<Ending>, alive: boolean }} Running
 */

/**
 * The processes of one start. Each has a process group of its own, so that Ctrl-C in the terminal reaches the launcher
 * alone, which ends them in order: the latest group of starts first.
 */
export class Processes {
  /** @type {Running[][]} */
  #ranks = [[]];
  /** @type {Promise<void> | undefined} */
  #stopping;
  /** @type {(ending: Ending) => void} */
  #reportFailure = () => {};

  /** @param {(name: string, pid: number) => void} record called with each process that was started */
  constructor(record) {
    this.record = record;
    /** Resolves with the first process that ends without having been asked to. @type {Promise<Ending>} */
    this.firstFailure = new Promise((resolve) => {
      this.#reportFailure = resolve;
    });
  }

  /** What is started from here on is ended before what was started until now. */
  beginNextRank() {
    this.#ranks.push([]);
  }

  /** @param {Program} program @returns {Running} */
  start(program) {
    if (this.#stopping !== undefined) {
      throw new StartError(`${program.name} is not started: everything is being stopped`);
    }
    const output = program.output === 'lines' ? 'pipe' : program.output;
    const child = spawn(program.command, program.args, {
      env: program.env ?? process.env,
      cwd: program.cwd,
      detached: true,
      stdio: [program.input === undefined ? 'ignore' : 'pipe', output, output],
      ...(program.uid === undefined ? {} : { uid: program.uid, gid: program.gid }),
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(program.input);
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) {
        createInterface({ input: stream }).on('line', (line) => say(`${program.name.padEnd(9)} | ${line}`));
      }
    }
    /** @type {Running} */
    const running = {
      program,
      pid: child.pid ?? 0,
      alive: child.pid !== undefined,
      ended: new Promise((resolve) => {
        child.once('error', (error) => resolve({ name: program.name, code: null, signal: null, error }));
        child.once('exit', (code, signal) => resolve({ name: program.name, code, signal }));
      }),
    };
    running.ended.then((ending) => {
      running.alive = false;
      if (this.#stopping === undefined) {
        this.#reportFailure(ending);
      }
    });
    this.#ranks.at(-1)?.push(running);
    if (running.alive) {
      this.record(program.name, running.pid);
    }
    return running;
  }

  /**
   * Ends everything, the latest rank first. Called again it gives the same promise.
   *
   * @param {{ applicationMs: number, serviceMs: number }} grace for the ranks above the first, and for the first
   */
  stop(grace) {
    this.#stopping ??= this.#stopRanks(grace);
    return this.#stopping;
  }

  /** @param {{ applicationMs: number, serviceMs: number }} grace */
  async #stopRanks({ applicationMs, serviceMs }) {
    for (let rank = this.#ranks.length - 1; rank >= 0; rank -= 1) {
      const members = this.#ranks[rank] ?? [];
      await Promise.all(members.map((one) => end(one, rank === 0 ? serviceMs : applicationMs)));
    }
  }
}

/** @param {Running} one @param {number} graceMs */
async function end(one, graceMs) {
  if (one.pid === 0) {
    return;
  }
  if (one.alive) {
    kill(one.pid, one.program.stopSignal ?? 'SIGTERM');
    const late = setTimeout(() => {
      say(`${one.program.name} did not end within ${graceMs / 1000} s and is killed`);
      kill(-one.pid, 'SIGKILL');
    }, graceMs);
    await one.ended;
    clearTimeout(late);
  }
  // What it started itself and did not end shares its process group.
  kill(-one.pid, 'SIGKILL');
}

/** Signals a process, or a group by a negative id; one that is gone is no error. @param {number} pid @param {NodeJS.Signals} signal */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') {
      throw error;
    }
  }
}

/** @param {Ending} ending @returns {string} one line */
export function describeEnding({ name, code, signal, error }) {
  if (error !== undefined) {
    return `${name} could not be started: ${error.message}`;
  }
  return `${name} ended by itself (${signal === null ? `exit code ${code}` : `signal ${signal}`})`;
}
