'use client';

import { usePathname } from 'next/navigation';
import { LIVE_REFETCH_MS, useLiveRefresh } from '../api/live-provider';
import { useRead } from '../api/use-read';
import { PLACES, type Place } from './places';
import { useSession } from './session';

export interface ShownPlace extends Place {
  readonly current: boolean;
  /** What waits there; 0 where nothing is counted. */
  readonly waiting: number;
}

const SUMMARY = '/v1/approvals/summary';

/** The places that this person may see here. */
export function usePlaces(): readonly ShownPlace[] {
  const { can, operator } = useSession();
  const pathname = usePathname();
  const summary = useRead<{ pending: number; outcomes: number }>(
    SUMMARY,
    {},
    {
      enabled: can('approvals:read'),
      every: LIVE_REFETCH_MS,
    },
  );
  useLiveRefresh([SUMMARY]);
  // A call of unknown outcome waits for a person as an approval does, in the same queue.
  const waiting = (summary.data?.pending ?? 0) + (summary.data?.outcomes ?? 0);
  return PLACES.filter(({ scope, forOperators }) => can(scope) || (operator && forOperators === true)).map(
    (place) => ({
      ...place,
      current: pathname === place.href || pathname.startsWith(`${place.href}/`),
      waiting: place.counts === 'approvals' ? waiting : 0,
    }),
  );
}
