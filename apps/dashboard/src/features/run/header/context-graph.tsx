'use client';

import { type PointerEvent, useMemo, useState } from 'react';
import { hint } from '../../../kit/hint';
import type { Story } from '../story/story';
import { barsPath, type ContextPoint, contextPoints } from './context-points';

/** Few calls make a short chart rather than broad bars: in pixels. */
const WIDEST_BAR = 28;

const WHAT_IT_IS =
  'A bar for each model call, as high as the tokens it was sent.\nThe darker part came from the cache. A click opens the call.';

const whole = new Intl.NumberFormat('en');

interface ContextGraphProps {
  story: Story;
  onOpen: (id: string) => void;
}

/** How many tokens each model call was sent, the cached part darker. Says the figures of the call that is pointed at. */
export function ContextGraph({ story, onOpen }: ContextGraphProps) {
  const points = useMemo(() => contextPoints(story), [story]);
  const [pointed, setPointed] = useState<number | null>(null);
  const most = Math.max(...points.map(({ input }) => input));
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) {
    return null;
  }
  const at = (event: PointerEvent | React.MouseEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(
      0,
      Math.min(points.length - 1, Math.floor(((event.clientX - left) / width) * points.length)),
    );
  };
  const shown = pointed === null ? undefined : points[pointed];
  const summary = `Context of each model call: ${whole.format(first.input)} to ${whole.format(last.input)} tokens`;
  return (
    <div className="flex shrink-0 items-end gap-3 border-line border-b px-4 py-1.5">
      <button
        type="button"
        aria-label={`${summary}. Opens the last call.`}
        onPointerMove={(event) => setPointed(at(event))}
        onPointerLeave={() => setPointed(null)}
        onClick={(event) => {
          const point = event.detail === 0 ? last : points[at(event)];
          if (point !== undefined) onOpen(point.id);
        }}
        className="relative h-6 min-w-0 rounded-4"
        style={{ width: points.length * WIDEST_BAR }}
      >
        <Chart points={points} most={most} />
        {pointed !== null && (
          <span
            aria-hidden
            className="absolute inset-y-0 bg-ink/15"
            style={{
              left: `${(pointed / points.length) * 100}%`,
              width: `max(1px, ${100 / points.length}%)`,
            }}
          />
        )}
      </button>
      <p aria-hidden className="figures shrink-0 font-mono text-11 text-faint" {...hint(WHAT_IT_IS)}>
        {shown === undefined ? summary : pointWords(shown)}
      </p>
    </div>
  );
}

function Chart({ points, most }: { points: readonly ContextPoint[]; most: number }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      className="size-full border-line-strong border-b"
    >
      <path d={barsPath(points, ({ input }) => input, most)} className="fill-line-strong" />
      <path d={barsPath(points, ({ cached }) => cached, most)} className="fill-faint/70" />
    </svg>
  );
}

function pointWords({ turn, input, cached }: ContextPoint): string {
  const tokens = `Turn ${turn}: ${whole.format(input)} tokens`;
  return cached === 0 ? `${tokens}, none cached` : `${tokens}, ${whole.format(cached)} cached`;
}
