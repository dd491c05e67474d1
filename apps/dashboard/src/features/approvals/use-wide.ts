'use client';

import { useSyncExternalStore } from 'react';

/** As the styles have it: from here on the queue and the card stand side by side. */
const WIDE = '(min-width: 48rem)';

/** Whether queue and card are both in sight. False while the page is made on the server. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(WIDE).matches,
    () => false,
  );
}
