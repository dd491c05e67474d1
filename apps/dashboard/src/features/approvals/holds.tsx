'use client';

import { Undo2 } from 'lucide-react';
import { Button } from '../../kit/button';
import { cn } from '../../kit/cn';
import { InertText } from '../../kit/inert-text';
import { useNow } from '../../kit/use-now';
import type { Hold } from './data/use-holds';

interface HoldsProps {
  holds: readonly Hold[];
  onUndo: (id: string) => void;
  className?: string;
}

/** The approvals that can still be undone: the latest of them, and how many more there are. */
export function Holds({ holds, onUndo, className }: HoldsProps) {
  const now = useNow(250);
  const latest = holds.at(-1);
  if (latest === undefined || now === null) {
    return null;
  }
  const left = Math.max(0, Math.ceil((latest.until - now) / 1_000));
  return (
    <div className={cn('flex min-w-0 animate-arrive items-center gap-3', className)}>
      <p role="status" className="min-w-0 truncate">
        <span className="font-medium text-green">Approved</span>{' '}
        <InertText text={latest.summary} className="text-muted" />
        {holds.length > 1 && <span className="text-muted"> and {holds.length - 1} more</span>}
      </p>
      <span aria-hidden className="figures shrink-0 whitespace-nowrap font-mono text-12 text-muted">
        {latest.next} in {left} s
      </span>
      <Button size="small" keyHint="u" onClick={() => onUndo(latest.id)}>
        <Undo2 aria-hidden />
        Undo
      </Button>
    </div>
  );
}
