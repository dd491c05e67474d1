import type { ApprovalPrecedents } from '@countersign/contracts';

type Counts = Pick<ApprovalPrecedents, 'approved' | 'edited' | 'rejected' | 'expired'>;

/** How people decided on requests like this one: `38 approved as asked, 2 rejected`; null: there is nothing to learn from. */
export function precedentsLine({ approved, edited, rejected, expired }: Counts): string | null {
  const parts = [
    [approved, 'approved as asked'],
    [edited, 'approved with an edit'],
    [rejected, 'rejected'],
    [expired, 'expired'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return words.length === 0 ? null : words.join(', ');
}
