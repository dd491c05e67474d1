'use client';

import type { RunListQuery, RunStatus } from '@countersign/contracts';
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

/** What of a run lies in the time that is chosen. */
export const MOMENTS = {
  ended: 'Runs that ended then',
  spent: 'Runs that spent then',
  failed: 'Runs with a failure then',
} as const;
export type Moment = Exclude<NonNullable<RunListQuery['moment']>, 'created'>;

const parsers = {
  q: parseAsString,
  status: parseAsStringLiteral(STATUSES),
  reason: parseAsString,
  agent: parseAsString,
  subject: parseAsString,
  operation: parseAsString,
  /** Up to now. */
  since: parseAsStringLiteral(Object.keys(SPANS) as Span[]),
  /** From and to moments, where no span is chosen. */
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  /** null: that it was created. */
  moment: parseAsStringLiteral(Object.keys(MOMENTS) as Moment[]),
  model: parseAsString,
  tool: parseAsString,
};

/** What the list is narrowed to, as the URL says it. */
export function useRunFilters() {
  const [filters, setFilters] = useQueryStates(parsers, { history: 'push', clearOnDefault: true });
  const { q, status, reason, agent, subject, operation, since, from, to, moment, model, tool } = filters;
  const query = useMemo<Query>(
    () => ({
      q: q?.trim(),
      status,
      reason,
      agent,
      subject,
      moment,
      model,
      tool,
      operationId: operation,
      from: since === null ? from?.toISOString() : new Date(Date.now() - SPANS[since].ms).toISOString(),
      to: since === null ? to?.toISOString() : null,
    }),
    [q, status, reason, agent, subject, operation, since, from, to, moment, model, tool],
  );
  const narrowed = Object.values(filters).some((value) => value !== null);
  const clear = () => void setFilters(null);
  return { filters, setFilters, query, narrowed, clear };
}

export type RunFilters = ReturnType<typeof useRunFilters>;
