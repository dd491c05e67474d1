'use client';

import type { RunStatus } from '@countersign/contracts';
import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { Query } from '../../api/request';
import { RUN_LOOKS } from '../../kit/state';

const HOUR_MS = 3_600_000;

/** The spans of time that one choice names, in milliseconds. */
export const SPANS = {
  '1h': { label: 'Last hour', ms: HOUR_MS },
  '24h': { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * HOUR_MS },
} as const;
export type Span = keyof typeof SPANS;

const STATUSES = Object.keys(RUN_LOOKS) as RunStatus[];

const parsers = {
  q: parseAsString,
  status: parseAsStringLiteral(STATUSES),
  agent: parseAsString,
  subject: parseAsString,
  operation: parseAsString,
  /** Up to now. */
  since: parseAsStringLiteral(Object.keys(SPANS) as Span[]),
  /** From and to moments, where no span is chosen. */
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

/** What the list is narrowed to, as the URL says it. */
export function useRunFilters() {
  const [filters, setFilters] = useQueryStates(parsers, { history: 'push', clearOnDefault: true });
  const { q, status, agent, subject, operation, since, from, to } = filters;
  const query = useMemo<Query>(
    () => ({
      q: q?.trim(),
      status,
      agent,
      subject,
      operationId: operation,
      from: since === null ? from?.toISOString() : new Date(Date.now() - SPANS[since].ms).toISOString(),
      to: since === null ? to?.toISOString() : null,
    }),
    [q, status, agent, subject, operation, since, from, to],
  );
  const narrowed = Object.values(filters).some((value) => value !== null);
  const clear = () =>
    void setFilters({
      q: null,
      status: null,
      agent: null,
      subject: null,
      operation: null,
      since: null,
      from: null,
      to: null,
    });
  return { filters, setFilters, query, narrowed, clear };
}

export type RunFilters = ReturnType<typeof useRunFilters>;
