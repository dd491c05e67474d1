import type { TraceSpan } from '@countersign/contracts';

/** A stretch of a run's time, in milliseconds since 1970: what a call or the run itself did, or waited for. */
export interface Stretch {
  readonly id: string;
  readonly kind: TraceSpan['kind'];
  readonly from: number;
  /** null: it goes on. */
  readonly to: number | null;
  /** When it is over at the latest, whenever that is noticed. */
  readonly endsAt: number | null;
  /** The word of what ended it. */
  readonly ended: string | null;
}

export type StretchHead = Pick<Stretch, 'kind' | 'endsAt'>;

/** Where a stretch ends that something ended at `at`. Only the time to undo is over without an event. */
export function stretchEnd({ kind, endsAt }: StretchHead, at: number): number {
  return kind === 'undo_wait' ? Math.min(at, endsAt ?? at) : at;
}
