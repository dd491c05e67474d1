'use client';

import { useQuery } from '@tanstack/react-query';
import { useTenantSlug } from '../../api/api-provider';
import type { ApiProblem } from '../../api/problem';
import { type Query, request } from '../../api/request';
import type { Scope } from './scope';

/** Figures move slowly: they are read again so often, in milliseconds. */
const REFETCH_MS = 30_000;

/** Reads one of the metrics (`cost`, `runs`, ...) of the scope: a tenant's own, or the platform's. */
export function useMetrics<Answer>(scope: Scope, name: string, query: Query = {}) {
  const times = { from: new Date(scope.from).toISOString(), to: new Date(scope.to).toISOString() };
  return useFigures<Answer>(scope, name, { ...times, ...query });
}

/** Reads figures that no time belongs to: what is under way now. */
export function useFigures<Answer>({ platform }: Pick<Scope, 'platform'>, name: string, query: Query = {}) {
  const slug = useTenantSlug();
  const path = `${platform === null ? '/v1' : '/admin/v1'}/metrics/${name}`;
  const asked = platform === null ? query : { ...query, tenant: platform.tenant };
  const tenant = platform === null ? slug : null;
  return useQuery<Answer, ApiProblem>({
    queryKey: [tenant, path, asked],
    queryFn: ({ signal }) => request<Answer>(path, { tenant, query: asked, signal }),
    refetchInterval: REFETCH_MS,
  });
}
