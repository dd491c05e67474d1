'use client';

import type { Run } from '@countersign/contracts';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { LIVE_REFETCH_MS } from '../../../api/live-provider';
import { useRead } from '../../../api/use-read';
import { isAlive } from '../is-alive';
import { story } from '../story/story';
import { runPath } from './run-path';
import { useRunEvents } from './use-run-events';

/** Many events may arrive in a second: the run's figures are read again at most this often, in milliseconds. */
const SETTLE_MS = 400;

/** Everything that the page shows of a run: its figures, its events, and the story that they tell. */
export function useRun(runId: string) {
  const stream = useRunEvents(runId);
  const { events } = stream;
  // A long history arrives in many frames: what it tells is drawn when there is time, not once a frame.
  const drawn = useDeferredValue(events);
  const told = useMemo(() => story(drawn), [drawn]);
  const ended = told.endedAt !== null;
  const run = useRead<Run>(runPath(runId), {}, { every: ended ? false : LIVE_REFETCH_MS });
  // While the events of a run are read that ended long ago, none of them is news.
  const alive = !ended && run.data !== undefined && isAlive(run.data);
  const { refetch } = run;
  const known = run.data?.seq ?? 0;
  const behind = run.data !== undefined && (events.at(-1)?.seq ?? 0) > known;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that is behind still asks once more
  useEffect(() => {
    if (!behind) {
      return;
    }
    const timer = setTimeout(() => void refetch(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [behind, known, refetch]);
  return { run, story: told, stream, alive };
}
