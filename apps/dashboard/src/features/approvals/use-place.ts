'use client';

import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { QueueFilters } from './queue/queue';

const PARAMETERS = {
  open: parseAsString,
  tool: parseAsString,
  agent: parseAsString,
  within: parseAsInteger,
};

/** What of the page stands in its URL: a link shows a colleague the same card of the same queue. */
export function usePlace() {
  const [{ open, tool, agent, within }, setPlace] = useQueryStates(PARAMETERS);
  const filters = useMemo<QueueFilters>(() => ({ tool, agent, within }), [tool, agent, within]);
  return { open, filters, setPlace };
}
