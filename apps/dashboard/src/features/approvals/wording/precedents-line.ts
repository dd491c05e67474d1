import type { ApprovalPrecedents } from '@countersign/contracts';

type Counts = Pick<ApprovalPrecedents, 'approved' | 'edited' | 'rejected' | 'expired'>;

/** How people decided on requests like this one, short and in words: `41 / 2`, `38 approved, 3 edited, 2 rejected`. */
export interface PrecedentsLine {
  /** Approved, edited or not, against rejected. */
  readonly ratio: string;
  readonly words: string;
}

/** Null where there is nothing to learn from. */
export function precedentsLine({ approved, edited, rejected, expired }: Counts): PrecedentsLine | null {
  const parts = [
    [approved, 'approved as asked'],
    [edited, 'approved with an edit'],
    [rejected, 'rejected'],
    [expired, 'expired'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return words.length === 0 ? null : { ratio: `${approved + edited} / ${rejected}`, words: words.join(', ') };
}
