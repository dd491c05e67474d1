'use client';

import { useCallback, useEffect, useState } from 'react';

/** An approval that can still be undone. */
export interface Hold {
  readonly id: string;
  /** What will happen, in a sentence. */
  readonly summary: string;
  /** What comes when it is over: `begins`, `another is asked`. */
  readonly next: string;
  /** When that is, in milliseconds since 1970. */
  readonly until: number;
}

interface Holds {
  /** The latest last. */
  readonly holds: readonly Hold[];
  readonly add: (hold: Hold) => void;
  readonly remove: (id: string) => void;
}

/** The approvals that are being held, each until its time is over. */
export function useHolds(): Holds {
  const [holds, setHolds] = useState<readonly Hold[]>([]);
  const remove = useCallback((id: string) => setHolds((all) => all.filter((hold) => hold.id !== id)), []);
  const add = useCallback(
    (hold: Hold) => setHolds((all) => [...all.filter(({ id }) => id !== hold.id), hold]),
    [],
  );
  useEffect(() => {
    const next = Math.min(...holds.map(({ until }) => until));
    if (!Number.isFinite(next)) {
      return undefined;
    }
    const over = () => setHolds((all) => all.filter(({ until }) => until > Date.now()));
    const timer = setTimeout(over, Math.max(0, next - Date.now()) + 50);
    return () => clearTimeout(timer);
  }, [holds]);
  return { holds, add, remove };
}
