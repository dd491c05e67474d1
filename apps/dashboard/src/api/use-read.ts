'use client';

import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTenantSlug } from './api-provider';
import type { ApiProblem } from './problem';
import { type Query, request } from './request';

/** The answer of every list. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

interface ReadOptions<Answer> {
  /** false: not asked. */
  readonly enabled?: boolean;
  /** Asked again after so many milliseconds. */
  readonly every?: number | false;
  /** What is known already, read a moment ago. */
  readonly initial?: Answer | undefined;
}

/** Reads one resource of the tenant. The key is `[tenant, path, query]`: see `useRefresh`. */
export function useRead<Answer>(path: string, query: Query = {}, options: ReadOptions<Answer> = {}) {
  const tenant = useTenantSlug();
  return useQuery<Answer, ApiProblem>({
    queryKey: [tenant, path, query],
    queryFn: ({ signal }) => request<Answer>(path, { tenant, query, signal }),
    enabled: tenant !== null && (options.enabled ?? true),
    refetchInterval: options.every ?? false,
    ...(options.initial === undefined ? {} : { initialData: () => options.initial }),
  }) satisfies UseQueryResult<Answer, ApiProblem>;
}

/** Reads a list page by page; what was filtered before stays until the new rows are there. */
export function usePages<Row>(
  path: string,
  query: Query = {},
  options: Omit<ReadOptions<never>, 'initial'> = {},
) {
  const tenant = useTenantSlug();
  return useInfiniteQuery({
    queryKey: [tenant, path, query, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      request<Page<Row>>(path, { tenant, query: { ...query, after: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: Page<Row>) => last.nextCursor,
    placeholderData: keepPreviousData,
    enabled: tenant !== null && (options.enabled ?? true),
    refetchInterval: options.every ?? false,
  }) as UseInfiniteQueryResult<InfiniteData<Page<Row>, string | null>, ApiProblem>;
}

/** What a mutation sends. */
export interface Sent {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** Changes something of the tenant, then reads again whatever lies below the given paths. */
export function useSend<Answer>(refreshed: readonly string[]) {
  const tenant = useTenantSlug();
  const refresh = useRefresh();
  return useMutation<Answer, ApiProblem, Sent>({
    mutationFn: ({ path, method, body }) => request<Answer>(path, { tenant, method, body }),
    onSettled: () => refresh(...refreshed),
  });
}

/** Reads again what is shown of the tenant at or below the given paths. */
export function useRefresh(): (...paths: readonly string[]) => Promise<void> {
  const tenant = useTenantSlug();
  const client = useQueryClient();
  return useCallback(
    (...paths) =>
      client.invalidateQueries({
        predicate: ({ queryKey: [owner, path] }) =>
          owner === tenant && typeof path === 'string' && paths.some((one) => isAtOrBelow(path, one)),
      }),
    [client, tenant],
  );
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
