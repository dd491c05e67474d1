'use client';

import type { Approval } from '@countersign/contracts';
import { useEffect, useRef } from 'react';
import { useRead } from '../../api/use-read';
import { approvalPath } from './data/paths';
import { keepOpenInPlace, type QueueItem } from './queue/queue';

/** The queue as it is drawn: what is open stays where it was, and shows what became of it. */
export function useShownQueue(
  items: readonly QueueItem[] | null,
  open: string | null,
): readonly QueueItem[] | null {
  const before = useRef<readonly QueueItem[]>([]);
  // The card reads it; here it is only looked at.
  const current = useRead<Approval>(approvalPath(open ?? ''), {}, { enabled: false }).data;
  const kept = items === null ? null : keepOpenInPlace(before.current, items, open);
  const shown = kept?.map((item) =>
    item.kind === 'approval' && item.id === current?.id ? { ...item, approval: current } : item,
  );
  useEffect(() => {
    before.current = kept ?? [];
  });
  return shown ?? null;
}
