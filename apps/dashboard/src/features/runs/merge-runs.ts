import type { Run } from '@countersign/contracts';
import type { RunChange } from '../../api/changes';
import type { Page } from '../../api/use-read';

/**
 * One list, newest first, which is by id, falling: what was just read of its top, then what had been read below it. A row that stood in the top
 * and does not any more matches no longer. Of rows further down, `moved` knows a later status.
 */
export function mergeRuns(
  newest: Page<Run> | undefined,
  pages: readonly Page<Run>[],
  moved: ReadonlyMap<string, RunChange>,
): Run[] {
  const loaded = pages.flatMap((page) => page.data);
  if (newest === undefined) {
    return loaded;
  }
  if (newest.nextCursor === null || hasGap(newest, pages)) {
    return [...newest.data];
  }
  const top = new Set(newest.data.map((run) => run.id));
  const end = newest.data.at(-1);
  const below = loaded.filter((run) => !top.has(run.id) && end !== undefined && run.id < end.id);
  return [...newest.data, ...below.map((run) => withStatus(run, moved.get(run.id)))];
}

/** Whether so much is new that rows are missing between the top and what had been read before. */
export function hasGap(newest: Page<Run>, pages: readonly Page<Run>[]): boolean {
  const loaded = new Set(pages.flatMap((page) => page.data.map((run) => run.id)));
  return loaded.size > 0 && newest.nextCursor !== null && !newest.data.some((run) => loaded.has(run.id));
}

/** What is known of runs that moved, with one more change: it may be older than what is known already. */
export function withMove(
  moved: ReadonlyMap<string, RunChange>,
  change: RunChange,
): ReadonlyMap<string, RunChange> {
  const known = moved.get(change.runId);
  return known !== undefined && known.seq > change.seq ? moved : new Map(moved).set(change.runId, change);
}

function withStatus(run: Run, change: RunChange | undefined): Run {
  return change === undefined || change.seq <= run.seq ? run : { ...run, status: change.status };
}
