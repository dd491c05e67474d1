'use client';

import type { ToolCall } from '@countersign/contracts';
import { useEffect } from 'react';
import { LIVE_REFETCH_MS, useLiveRefresh } from '../../../api/live-provider';
import { usePages } from '../../../api/use-read';
import { hasEnded } from '../wording/came-of-it';
import { toolCallsPath } from './paths';

/** The calls of a run so far, oldest first; undefined until they are here. */
export function useToolCalls(runId: string, enabled = true) {
  const path = toolCallsPath(runId);
  const read = usePages<ToolCall>(path, { limit: 100 }, { enabled });
  useLiveRefresh([path], (change) => change.runId === runId);
  const { hasNextPage, isFetching, fetchNextPage, refetch } = read;
  useEffect(() => {
    if (enabled && hasNextPage && !isFetching) {
      void fetchNextPage();
    }
  }, [enabled, hasNextPage, isFetching, fetchNextPage]);
  const calls = read.data?.pages.flatMap(({ data }) => data);
  return { calls, refetch };
}

/** One call as it stands, read until it has ended; null where it is not known, or not asked for. */
export function useToolCall(runId: string, id: string, enabled: boolean): ToolCall | null {
  const { calls, refetch } = useToolCalls(runId, enabled);
  const call = calls?.find((each) => each.id === id) ?? null;
  const open = enabled && (call === null || !hasEnded(call));
  useEffect(() => {
    if (!open) return undefined;
    const timer = setInterval(() => void refetch(), LIVE_REFETCH_MS);
    return () => clearInterval(timer);
  }, [open, refetch]);
  return call;
}
