'use client';

import type { Run } from '@countersign/contracts';
import { useEffect, useMemo, useState } from 'react';
import type { RunChange } from '../../api/changes';
import { LIVE_REFETCH_MS, useLive, useSoonAfterMoves } from '../../api/live-provider';
import type { Query } from '../../api/request';
import { type Page, usePages, useRead } from '../../api/use-read';
import { hasGap, mergeRuns, withMove } from './merge-runs';

const RUNS = '/v1/runs';

/**
 * The runs that match, newest first, page after page; the newest page is read again whenever something moves, so that
 * what is new stands on top, and of the older rows at least the status follows.
 */
export function useLiveRuns(query: Query) {
  const pages = usePages<Run>(RUNS, query);
  const loaded = pages.isPlaceholderData ? undefined : pages.data?.pages;
  const newest = useRead<Page<Run>>(RUNS, query, {
    enabled: loaded !== undefined,
    initial: loaded?.[0],
    every: LIVE_REFETCH_MS,
  });
  useSoonAfterMoves(() => void newest.refetch());
  const moved = useMovedRuns();
  const gap = loaded !== undefined && newest.data !== undefined && hasGap(newest.data, loaded);
  const { refetch } = pages;
  useEffect(() => {
    if (gap) {
      void refetch();
    }
  }, [gap, refetch]);
  const rows = useMemo(
    () => pages.data && mergeRuns(loaded === undefined ? undefined : newest.data, pages.data.pages, moved),
    [pages.data, loaded, newest.data, moved],
  );
  return { ...pages, data: rows };
}

/** The latest status of each run that moved since the list was opened. */
function useMovedRuns(): ReadonlyMap<string, RunChange> {
  const [moved, setMoved] = useState<ReadonlyMap<string, RunChange>>(new Map());
  useLive((change) => setMoved((before) => withMove(before, change)));
  return moved;
}
