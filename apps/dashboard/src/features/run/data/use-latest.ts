'use client';

import { useEffect, useRef } from 'react';

/** Calls `act` when `value` becomes another one; not for the first. */
export function useLatest(value: unknown, act: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current !== value) {
      before.current = value;
      act();
    }
  });
}
