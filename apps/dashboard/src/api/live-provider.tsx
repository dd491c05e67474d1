'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useTenantSlug } from './api-provider';
import { followChanges, type LiveState, type RunChange } from './changes';
import { useRefresh } from './use-read';

/** A change is a hint and may be lost: what is live is also asked for this often, in milliseconds. */
export const LIVE_REFETCH_MS = 10_000;

/** Many runs may move at once: what they touch is read again at most this often, in milliseconds. */
const SETTLE_MS = 400;

interface Live {
  readonly state: LiveState;
  readonly subscribe: (listener: (change: RunChange) => void) => () => void;
}

const LiveContext = createContext<Live>({ state: 'connecting', subscribe: () => () => undefined });

/** Follows the tenant's changes for everything below it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const tenant = useTenantSlug();
  const [state, setState] = useState<LiveState>('connecting');
  const listeners = useRef(new Set<(change: RunChange) => void>());

  useEffect(() => {
    if (tenant === null) {
      return;
    }
    const ending = new AbortController();
    const changed = (change: RunChange) => {
      for (const listener of listeners.current) {
        listener(change);
      }
    };
    followChanges(tenant, { changed, state: setState }, ending.signal);
    return () => ending.abort();
  }, [tenant]);

  const live = useMemo<Live>(
    () => ({
      state: tenant === null ? 'live' : state,
      subscribe: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [tenant, state],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Whether changes arrive by themselves. */
export function useLiveState(): LiveState {
  return useContext(LiveContext).state;
}

/** Calls `listener`, always its latest version, with each change of a run of the tenant. */
export function useLive(listener: (change: RunChange) => void): void {
  const { subscribe } = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => subscribe((change) => latest.current(change)), [subscribe]);
}

/** Calls `act` soon after a run moved, once for many moves; `concerns` narrows which runs. */
export function useSoonAfterMoves(
  act: () => void,
  concerns: (change: RunChange) => boolean = () => true,
): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((change) => {
    if (timer.current === undefined && concerns(change)) {
      timer.current = setTimeout(() => {
        timer.current = undefined;
        latest.current();
      }, SETTLE_MS);
    }
  });
}

/** Reads what lies at or below the paths again soon after a run moved. */
export function useLiveRefresh(paths: readonly string[], concerns?: (change: RunChange) => boolean): void {
  const refresh = useRefresh();
  useSoonAfterMoves(() => void refresh(...paths), concerns);
}
