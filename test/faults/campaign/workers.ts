import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerProcess } from '../../support/server-process.js';
import type { Stack } from '../../support/stack.js';

/** The workers of a stack of which some are always dying: how many there are stays the same. */
export class Crew {
  private members: ServerProcess[] = [];
  /** When each was killed, in milliseconds, by the name under which it held its leases. */
  readonly deaths = new Map<string, number>();

  /** `environment` is that of each worker that replaces another. */
  constructor(
    private readonly stack: Stack,
    private readonly random: () => number,
    private readonly environment: () => Record<string, string> = () => ({}),
  ) {
    this.members = [...stack.workers];
  }

  /** SIGKILL for one of them, and another in its place. */
  async kill(): Promise<void> {
    const victim = this.members.splice(Math.floor(this.random() * this.members.length), 1)[0];
    if (victim === undefined) throw new Error('there is nobody to kill');
    const name = nameOf(victim);
    await victim.kill();
    this.deaths.set(name, Date.now());
    this.members.push(await this.stack.startWorker(this.environment()));
  }

  /** One of them stands still for so long. */
  async stop(milliseconds: number): Promise<void> {
    const victim = this.members[Math.floor(this.random() * this.members.length)];
    victim?.signal('SIGSTOP');
    await pause(milliseconds);
    victim?.signal('SIGCONT');
    await pause(milliseconds / 4);
  }
}

/** What a worker calls itself, as its log says. */
function nameOf({ logFile }: ServerProcess): string {
  const name = /"worker":"([^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
  if (name === undefined) throw new Error(`${logFile} does not say what its worker is called`);
  return name;
}

/** The environment of a process whose clock is off by so much. */
export function clockOff(milliseconds: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--require ${path.resolve(__dirname, '../shift-clock.cjs')}`,
    COUNTERSIGN_CLOCK_OFF_MS: String(milliseconds),
  };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
