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

/** Of the width of a bar; the rest keeps it from the next. */
const FILLED = 0.92;

/**
 * The bars of a chart in a box of 1 by 1, the origin at its upper left: one of equal width a point, `read` tokens high
 * against `most`.
 */
export function barsPath(
  points: readonly ContextPoint[],
  read: (point: ContextPoint) => number,
  most: number,
): string {
  const width = 1 / Math.max(1, points.length);
  const bars = points.map((point, position) => {
    const top = (1 - read(point) / Math.max(1, most)).toFixed(4);
    const left = position * width;
    return `M${left.toFixed(5)} 1V${top}H${(left + width * FILLED).toFixed(5)}V1Z`;
  });
  return bars.join('');
}
