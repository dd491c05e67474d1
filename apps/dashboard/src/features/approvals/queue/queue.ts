import type { Approval, Outcome } from '@countersign/contracts';

/** Something that waits for a person. An id of an approval or of a call never names both. */
export type QueueItem =
  | { readonly kind: 'approval'; readonly id: string; readonly approval: Approval }
  | { readonly kind: 'outcome'; readonly id: string; readonly outcome: Outcome };

/** What a reviewer narrows the queue to; null: all. */
export interface QueueFilters {
  readonly tool: string | null;
  readonly agent: string | null;
  /** Only what expires within so many minutes. */
  readonly within: number | null;
}

const MINUTE = 60_000;

/**
 * The queue: effects in doubt first, because somebody may be charged twice; then what expires first. An outcome names no
 * agent, so that a filter by agent never hides one.
 */
export function queueOf(
  outcomes: readonly Outcome[],
  approvals: readonly Approval[],
  { tool, within }: QueueFilters,
  now: number,
): QueueItem[] {
  const inDoubt = outcomes.filter((outcome) => tool === null || outcome.tool === tool);
  const until = within === null ? Number.POSITIVE_INFINITY : now + within * MINUTE;
  const waiting = approvals.filter(
    ({ status, expiresAt }) => status === 'pending' && Date.parse(expiresAt) <= until,
  );
  return [
    ...inDoubt.map((outcome): QueueItem => ({ kind: 'outcome', id: outcome.toolCallId, outcome })),
    ...waiting.map((approval): QueueItem => ({ kind: 'approval', id: approval.id, approval })),
  ];
}

/**
 * Keeps the row that is open where it was, though it waits no more: a row that vanishes under the reader's eyes makes
 * them lose their place. It goes as soon as another one is opened.
 */
export function keepOpenInPlace(
  before: readonly QueueItem[],
  now: readonly QueueItem[],
  open: string | null,
): readonly QueueItem[] {
  const position = before.findIndex(({ id }) => id === open);
  const kept = before[position];
  if (kept === undefined || now.some(({ id }) => id === open)) {
    return now;
  }
  const following = before.slice(position + 1).find(({ id }) => now.some((item) => item.id === id));
  const at = following === undefined ? now.length : now.findIndex(({ id }) => id === following.id);
  return [...now.slice(0, at), kept, ...now.slice(at)];
}

/** The id of the item so many steps away, not beyond the ends; null where the queue is empty. */
export function stepFrom(items: readonly QueueItem[], open: string | null, steps: number): string | null {
  const position = items.findIndex(({ id }) => id === open);
  const wanted = position === -1 ? 0 : Math.max(0, Math.min(items.length - 1, position + steps));
  return items[wanted]?.id ?? null;
}

/** What opens after one is done with: the next, else the one before, else nothing. */
export function openAfter(items: readonly QueueItem[], done: string): string | null {
  const position = items.findIndex(({ id }) => id === done);
  return (items[position + 1] ?? items[position - 1])?.id ?? null;
}
