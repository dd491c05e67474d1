import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One process of the product under test. It is ended by its process id, and its output is kept in a file. */
export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly logFile: string;
  /** Resolves once it is gone, whoever ended it: its exit code, or null for a signal. */
  readonly exited: Promise<number | null>;
  /** SIGSTOP or SIGCONT: it stands still, sockets and all, until it is told to go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** The last lines of its output. */
  tail(): string;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for its exit code; SIGKILL after 15 s (the product promises 10 s). */
  stop(): Promise<number | null>;
}

export interface ServerStart {
  readonly name: string;
  /** What Node runs: a path from the root of the project, and its arguments. */
  readonly args: readonly [entry: string, ...rest: string[]];
  readonly port: number;
  readonly environment: Record<string, string>;
}

const root = path.resolve(__dirname, '../..');
const logFolder = path.join(tmpdir(), `countersign-test-${process.ppid}`);

/**
 * Starts a process and waits until its `/readyz` answers 200; one that is to die at a fault point may die before. Throws
 * with its output where neither happens.
 */
export async function startServerProcess(start: ServerStart): Promise<ServerProcess> {
  mkdirSync(logFolder, { recursive: true });
  const [entry, ...rest] = start.args;
  const logFile = path.join(logFolder, `${start.name}-${start.port}-${process.pid}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [path.join(root, entry), ...rest], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'info', ...start.environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = recordExit(child);
  const started: ServerProcess = {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${start.port}`,
    logFile,
    exited,
    signal: (name) => {
      child.kill(name);
    },
    tail: () => tailOf(logFile),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
  await untilReady(started, child, start.environment.COUNTERSIGN_FAULT !== undefined);
  return started;
}

const TAIL_LINES = 12;
const TAIL_LINE_LENGTH = 600;

/** The last lines of a log, cut to a length that can be read beside a failure. */
export function tailOf(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES);
  return [logFile, ...lines.map((line) => line.slice(0, TAIL_LINE_LENGTH))].join('\n');
}

/**
 * Below the ports that systems hand out to whoever connects, which may be taken before a server listens there. Each of
 * Jest's processes has some of its own, and goes round.
 */
const PORTS = { from: 12_000, ofAProcess: 2_000, processes: 10 };
const FIRST_PORT =
  PORTS.from + (Number(process.env.JEST_WORKER_ID ?? 0) % PORTS.processes) * PORTS.ofAProcess;
let nextPort = randomInt(PORTS.ofAProcess);

/** A port on which nothing listens, and which nobody else is given meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + nextPort;
    nextPort = (nextPort + 1) % PORTS.ofAProcess;
    const server = createServer();
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (listens) return port;
  }
}

function recordExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code));
  });
}

async function untilReady(server: ServerProcess, child: ChildProcess, doomed: boolean): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (Date.now() < giveUpAt && child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${server.url}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (doomed && child.signalCode === 'SIGKILL') return;
  child.kill('SIGKILL');
  throw new Error(`not ready (exit code ${child.exitCode})\n${server.tail()}`);
}
