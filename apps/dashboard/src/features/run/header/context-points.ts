import type { Story } from '../story/story';

/** What one model call was sent, in tokens; `cached` is part of `input`. */
export interface ContextPoint {
  readonly id: string;
  readonly turn: number;
  readonly input: number;
  readonly cached: number;
}

/** How the context grew from reply to reply. A call whose provider counted nothing is left out. */
export function contextPoints({ modelCalls }: Story): ContextPoint[] {
  return modelCalls.flatMap(({ id, turn, usage, finish }) =>
    usage === null || finish === null
      ? []
      : [{ id, turn, input: usage.inputTokens, cached: usage.cachedInputTokens }],
  );
}

/**
 * The outline of a step chart in a box of 1 by 1, the origin at its upper left: one step of equal width a point, `read`
 * tokens high against `most`.
 */
export function stepPath(
  points: readonly ContextPoint[],
  read: (point: ContextPoint) => number,
  most: number,
): string {
  const width = 1 / Math.max(1, points.length);
  const steps = points.map((point, position) => {
    const top = (1 - read(point) / Math.max(1, most)).toFixed(4);
    return `L${(position * width).toFixed(5)} ${top}L${((position + 1) * width).toFixed(5)} ${top}`;
  });
  return `M0 1${steps.join('')}L1 1Z`;
}
