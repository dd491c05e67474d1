'use client';

import { useEffect } from 'react';
import { usePages } from '../../../api/use-read';
import { useLatest } from './use-latest';

const PAGE = 100;

/**
 * One row of a list that has no address of its own: page after page is read until it comes. `moved` counts how often it
 * changed: it is read again then.
 */
export function useListed<Row extends { readonly id: string }>(path: string, id: string, moved: number) {
  const pages = usePages<Row>(path, { limit: PAGE });
  const { hasNextPage, isFetching, fetchNextPage, refetch } = pages;
  const row = pages.data?.pages.flatMap(({ data }) => data).find((each) => each.id === id);
  const missing = row === undefined && hasNextPage;
  useEffect(() => {
    if (missing && !isFetching) {
      void fetchNextPage();
    }
  }, [missing, isFetching, fetchNextPage]);
  useLatest(moved, () => void refetch());
  return { row, error: pages.error, refetch, isReading: isFetching };
}
