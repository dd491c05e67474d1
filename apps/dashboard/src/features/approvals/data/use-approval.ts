'use client';

import type { Approval, ApprovalPrecedents, Message, Run, Tool } from '@countersign/contracts';
import { useEffect } from 'react';
import { useLiveRefresh } from '../../../api/live-provider';
import { usePages, useRead } from '../../../api/use-read';
import { approvalPath } from './paths';

/** Facts cost the tool a call: they are asked for again this often, in milliseconds, and when the run moves. */
const FACTS_EVERY_MS = 30_000;

/** One approval with the facts of now. */
export function useApproval(id: string, enabled: boolean) {
  const path = approvalPath(id);
  const read = useRead<Approval>(path, {}, { enabled, every: FACTS_EVERY_MS });
  useLiveRefresh([path], ({ runId }) => runId === read.data?.runId);
  return read;
}

/** How people decided on requests like this one. */
export function usePrecedents(id: string) {
  return useRead<ApprovalPrecedents>(`${approvalPath(id)}/precedents`);
}

/** The tool as it is when the call runs. */
export function useTool(name: string, version: number) {
  return useRead<Tool>(`/v1/tools/${name}/versions/${version}`);
}

/** The newest version of a tool. */
export function useCurrentTool(name: string) {
  return useRead<Tool>(`/v1/tools/${name}`);
}

/** A run as it stands. */
export function useRun(id: string) {
  return useRead<Run>(`/v1/runs/${id}`);
}

/** The conversation of a run so far, all of it: what a request rests on stands at its end. */
export function useConversation(runId: string) {
  const path = `/v1/runs/${runId}/messages`;
  const read = usePages<Message>(path, { limit: 100 });
  useLiveRefresh([path], (change) => change.runId === runId);
  const { hasNextPage, isFetching, fetchNextPage } = read;
  useEffect(() => {
    if (hasNextPage && !isFetching) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { ...read, messages: read.data?.pages.flatMap(({ data }) => data) };
}
