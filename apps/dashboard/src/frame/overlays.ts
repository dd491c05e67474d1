'use client';

import { useSyncExternalStore } from 'react';

/** What lies over the page at the moment; one at a time. */
type Overlay = 'palette' | 'keys' | 'password' | null;

let open: Overlay = null;
const listeners = new Set<() => void>();

function show(overlay: Overlay): void {
  open = overlay;
  for (const listener of listeners) {
    listener();
  }
}

export const openPalette = () => show('palette');
export const openKeys = () => show('keys');
export const openChangePassword = () => show('password');
export const closeOverlay = () => show(null);

/** Which overlay is open. */
export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => null,
  );
}
