import { withServers } from '../support/definitions.js';
import { inLanes } from '../support/lanes.js';
import { type Stack, withStack } from '../support/stack.js';
import type { ToolEnding, ToolRequest } from '../support/tool-server.js';
import type { RetailBenchmark, RetailTask } from '../tau/retail-data.js';
import { type PlayedTask, playRetail } from '../tau/retail-player.js';

/** When the worker dies: with the write on its way, made but not answered, or answered but perhaps not recorded. */
const MOMENTS = ['unmade', 'made', 'answered'] as const;
/** After the answer: long enough to fall before its record, into it, or behind it. */
const LONGEST_DELAY_MS = 20;

interface Chosen {
  readonly write: number;
  readonly moment: (typeof MOMENTS)[number];
  readonly delayMs: number;
}

export interface RetailKills {
  readonly played: readonly PlayedTask[];
  readonly kills: number;
}

/**
 * Plays tasks of the benchmark, in each of which the worker is killed at one random write. Each lane has a stack with
 * one worker and plays one task at a time, so that the one that is killed is the one that writes.
 */
export async function playRetailKilled(
  benchmark: RetailBenchmark,
  tasks: readonly RetailTask[],
  { lanes, random, after }: RetailKillOptions,
): Promise<RetailKills> {
  const chosen = new Map(tasks.map((task) => [task.id, choose(task, random)]));
  const waiting = [...tasks];
  const played: PlayedTask[] = [];
  let kills = 0;
  await inLanes(lanes, () =>
    withStack({ env: { WORKER_LEASE_SECONDS: '1' } }, (stack) =>
      withServers(async (servers) => {
        const executioner = new Executioner(stack, chosen);
        const disturb = (request: ToolRequest, performing: () => ToolEnding) =>
          executioner.disturb(request, performing);
        const game = { stack, sideBySide: 1, disturb };
        played.push(...(await playRetail(benchmark, waiting, servers, game)));
        kills += await executioner.rest();
        await after?.(stack);
      }),
    ),
  );
  return { played, kills };
}

export interface RetailKillOptions {
  readonly lanes: number;
  readonly random: () => number;
  /** Called when a lane's stack has nothing more to play. */
  readonly after?: (stack: Stack) => Promise<void>;
}

function choose({ actions }: RetailTask, random: () => number): Chosen {
  const write = 1 + Math.floor(random() * actions.length);
  const moment = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? 'made';
  return { write, moment, delayMs: random() * LONGEST_DELAY_MS };
}

/** Kills the worker of a stack at the chosen write of each task, and starts another. */
class Executioner {
  /** The keys of the writes that each task has come to; a second try is the same write. */
  private readonly writes = new Map<string, Set<string>>();
  private readonly done = new Set<string>();
  private replaced: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly stack: Stack,
    private readonly chosen: ReadonlyMap<string, Chosen>,
  ) {}

  async disturb(request: ToolRequest, performing: () => ToolEnding): Promise<ToolEnding> {
    const { id } = request.body.context.subject as { id: string };
    const writes = this.writes.get(id) ?? new Set();
    this.writes.set(id, writes.add(request.idempotencyKey ?? ''));
    const chosen = this.chosen.get(id);
    if (chosen?.write !== writes.size || this.done.has(id)) return performing();
    this.done.add(id);
    if (chosen.moment === 'unmade') {
      await this.kill(0);
      return { cut: 'before_answer' };
    }
    const ending = performing();
    const killed = this.kill(chosen.moment === 'made' ? 0 : chosen.delayMs);
    if (chosen.moment === 'made') await killed;
    return ending;
  }

  /** Waits for the last replacement; answers how many were killed. */
  async rest(): Promise<number> {
    await this.replaced;
    return this.done.size;
  }

  private kill(delayMs: number): Promise<unknown> {
    const dead = this.replaced
      .then(() => new Promise((resolve) => setTimeout(resolve, delayMs)))
      .then(() => this.stack.workers.at(-1)?.kill());
    this.replaced = dead.then(() => this.stack.startWorker());
    return dead;
  }
}
