'use client';

import { createContext, useContext } from 'react';
import type { Scope } from './scope';

/** Filters of the list of runs, as its URL takes them; `from` and `to` in milliseconds, else the scope's. */
export interface Behind {
  readonly moment: 'ended' | 'spent' | 'failed';
  readonly status?: string;
  readonly reason?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly subject?: string;
  readonly from?: number;
  readonly to?: number;
}

/** What the page is about. */
export const ScopeContext = createContext<Scope | null>(null);

/** The scope of the page that this stands on. */
export function useScopeHere(): Scope {
  const scope = useContext(ScopeContext);
  if (scope === null) throw new Error('useScopeHere is called outside of the metrics');
  return scope;
}

/** Where the runs behind a figure are listed; null where the reader does not see them: those of other tenants. */
export function useBehind(): (behind: Behind) => string | null {
  const { from, to, platform } = useScopeHere();
  return ({ from: begin = from, to: end = to, ...filters }) => {
    if (platform !== null) return null;
    const query = new URLSearchParams({
      ...filters,
      from: new Date(begin).toISOString(),
      to: new Date(end).toISOString(),
    });
    return `/runs?${query.toString()}`;
  };
}
