'use client';

import type { Approval, Outcome } from '@countersign/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTenantSlug } from '../../../api/api-provider';
import { LIVE_REFETCH_MS, useLive } from '../../../api/live-provider';
import type { ApiProblem } from '../../../api/problem';
import { type Page, usePages, useRead } from '../../../api/use-read';
import { useNow } from '../../../kit/use-now';
import { type QueueFilters, type QueueItem, queueOf } from '../queue/queue';
import { APPROVALS, OUTCOMES } from './paths';

const PAGE_SIZE = 100;

/** A busy tenant moves many runs a second; the list is read again at most this often, in milliseconds. */
const SETTLE_MS = 1_000;

/** What moves one run often comes in several steps, one right after the other: they are read once, in milliseconds. */
const SOON_MS = 100;

/** The queue as it was read. */
export interface Queue {
  /** Null until it was read once. */
  readonly items: readonly QueueItem[] | null;
  readonly error: ApiProblem | null;
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** Reads the next page, unless that is under way. */
  readonly readMore: () => void;
}

/** What waits for people, as it is now. */
export function useQueue(filters: QueueFilters): Queue {
  const { tool, agent } = filters;
  const approvals = usePages<Approval>(
    APPROVALS,
    { status: 'pending', order: 'expiring', tool, agent, limit: PAGE_SIZE },
    { every: LIVE_REFETCH_MS },
  );
  const outcomes = useRead<Page<Outcome>>(OUTCOMES, { limit: PAGE_SIZE }, { every: LIVE_REFETCH_MS });
  const now = useNow() ?? 0;
  const pages = approvals.data?.pages;
  const waiting = pages?.flatMap(({ data }) => data);
  useListRefresh(waiting ?? []);
  return {
    items:
      waiting === undefined || outcomes.data === undefined
        ? null
        : queueOf(outcomes.data.data, waiting, filters, now),
    error: approvals.error ?? outcomes.error,
    retry: () => {
      void approvals.refetch();
      void outcomes.refetch();
    },
    hasMore: approvals.hasNextPage,
    readMore: () => {
      if (!approvals.isFetchingNextPage) {
        void approvals.fetchNextPage();
      }
    },
  };
}

/** Reads the lists again when a run begins to wait, or one of theirs moves; never the cards, whose facts cost a call. */
function useListRefresh(waiting: readonly Approval[]): void {
  const client = useQueryClient();
  const tenant = useTenantSlug();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(({ runId, status }) => {
    const concerns = status === 'waiting' || waiting.some((approval) => approval.runId === runId);
    if (concerns && timer.current === undefined) {
      const rest = readAt.current + SETTLE_MS - performance.now();
      timer.current = setTimeout(
        () => {
          timer.current = undefined;
          readAt.current = performance.now();
          void client.invalidateQueries({
            predicate: ({ queryKey: [owner, path] }) =>
              owner === tenant && (path === APPROVALS || path === OUTCOMES),
          });
        },
        Math.max(SOON_MS, rest),
      );
    }
  });
}
