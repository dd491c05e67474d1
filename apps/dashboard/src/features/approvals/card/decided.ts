import type { Approval } from '@countersign/contracts';

/** A decision of this person that was taken. */
export interface Decided {
  readonly approval: Approval;
  readonly summary: string;
  /** Until when it can be undone, in milliseconds since 1970; null where it cannot be. */
  readonly heldUntil: number | null;
}
