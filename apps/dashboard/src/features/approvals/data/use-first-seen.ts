'use client';

import type { Approval } from '@countersign/contracts';
import { useEffect, useState } from 'react';

/** What a card showed when it was first opened, and when that was, in milliseconds since 1970. */
export interface FirstSeen {
  readonly arguments: unknown;
  readonly facts: Approval['facts'];
  readonly at: number;
}

/** For as long as this tab lives: a card that is left and opened again still tells what changed since. */
const seen = new Map<string, FirstSeen>();

/**
 * What was first shown of an approval on this page: against it a reader sees what has changed since. Facts are
 * remembered from the first answer that has any.
 */
export function useFirstSeen(approval: Approval | undefined): FirstSeen | null {
  const [first, setFirst] = useState<FirstSeen | null>(null);
  useEffect(() => {
    if (approval !== undefined) {
      const before = seen.get(approval.id);
      const now: FirstSeen = {
        arguments: before?.arguments ?? approval.arguments,
        facts: before?.facts ?? approval.facts,
        at: before?.at ?? Date.now(),
      };
      seen.set(approval.id, now);
      setFirst(now);
    }
  }, [approval]);
  return first;
}
