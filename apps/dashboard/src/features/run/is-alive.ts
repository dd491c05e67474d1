import type { Run, RunStatus } from '@countersign/contracts';

const ALIVE: ReadonlySet<RunStatus> = new Set(['queued', 'running', 'waiting']);

/** Whether something may still happen in a run. */
export function isAlive({ status }: Pick<Run, 'status'>): boolean {
  return ALIVE.has(status);
}
