'use client';

import { useEffect, useState } from 'react';

/** How long a card must be open before anything is asked for it, in milliseconds. */
const SETTLED_AFTER_MS = 120;

/** False for a moment: who runs through the queue key by key asks nothing of the tools on the way. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
