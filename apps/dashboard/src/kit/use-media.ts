'use client';

import { useSyncExternalStore } from 'react';

/** Whether a media query holds: `(min-width: 48rem)`. False on the server. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}
