'use client';

import type { Approval, ToolCall } from '@countersign/contracts';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useTenantSlug } from '../../../api/api-provider';
import { LIVE_REFETCH_MS, useSoonAfterMoves } from '../../../api/live-provider';
import { request } from '../../../api/request';
import type { Page } from '../../../api/use-read';
import { hasEnded } from '../wording/came-of-it';
import { toolCallsPath } from './paths';

/** An approval that this person signed, until its call has ended. */
interface Followed {
  readonly id: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly summary: string;
}

interface Following {
  readonly follow: (approval: Approval, summary: string) => void;
  /** It was taken back. */
  readonly forget: (id: string) => void;
}

/** Follows the calls that this person signed to their end, and hands each to `onEnded` once. */
export function useFollow(onEnded: (followed: Followed, call: ToolCall) => void): Following {
  const tenant = useTenantSlug();
  const all = useRef(new Map<string, Followed>());
  const latest = useRef(onEnded);
  useEffect(() => {
    latest.current = onEnded;
  });

  const look = useCallback(async () => {
    for (const runId of new Set([...all.current.values()].map((one) => one.runId))) {
      // What could not be read is asked for again the next time.
      const calls = await callsOf(tenant, runId).catch(() => []);
      for (const followed of [...all.current.values()]) {
        const call = calls.find(({ id }) => id === followed.toolCallId);
        if (followed.runId === runId && call !== undefined && hasEnded(call)) {
          all.current.delete(followed.id);
          latest.current(followed, call);
        }
      }
    }
  }, [tenant]);

  useSoonAfterMoves(
    () => void look(),
    ({ runId }) => [...all.current.values()].some((one) => one.runId === runId),
  );
  useEffect(() => {
    const timer = setInterval(() => void look(), LIVE_REFETCH_MS);
    return () => clearInterval(timer);
  }, [look]);

  return useMemo(
    () => ({
      follow: ({ id, runId, toolCallId }, summary) =>
        void all.current.set(id, { id, runId, toolCallId, summary }),
      forget: (id) => void all.current.delete(id),
    }),
    [],
  );
}

async function callsOf(tenant: string | null, runId: string): Promise<readonly ToolCall[]> {
  const calls: ToolCall[] = [];
  let after: string | null = null;
  do {
    const page: Page<ToolCall> = await request<Page<ToolCall>>(toolCallsPath(runId), {
      tenant,
      query: { limit: 100, after },
    });
    calls.push(...page.data);
    after = page.nextCursor;
  } while (after !== null);
  return calls;
}
