import type { Approval } from '@countersign/contracts';

/** A decision of this person that was taken. */
export interface Decided {
  readonly approval: Approval;
  readonly summary: string;
  /** What follows, and from when on it cannot be undone, in milliseconds since 1970; null where nothing is held. */
  readonly held: { readonly next: string; readonly until: number } | null;
}
