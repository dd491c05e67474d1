import { hint } from '../../../kit/hint';
import { duration } from '../../../kit/times';
import { type AxisPart, ticksOf } from './axis';

interface AxisHeadProps {
  axis: readonly AxisPart[];
  /** Of the axis, in pixels. */
  width: number;
}

const TICK_PX = 84;
const LABEL_PX = 60;

/** The times along the axis, and how long each wait was that it cuts short. */
export function AxisHead({ axis, width }: AxisHeadProps) {
  return (
    <div aria-hidden className="relative h-7 text-11 text-faint">
      {axis.map((part) =>
        part.broken ? (
          <Break key={part.start} part={part} />
        ) : (
          ticksOf(part, TICK_PX / Math.max(1, width))
            .filter(({ place }) => (part.end - place) * width > LABEL_PX || part.end === 1)
            .map(({ place, after }) => (
              <span
                key={place}
                className="figures absolute bottom-0 h-full border-line border-l pt-1.5 pl-1 font-mono"
                style={{ left: `${place * 100}%` }}
              >
                {(1 - place) * width > LABEL_PX && `+${duration(after)}`}
              </span>
            ))
        ),
      )}
    </div>
  );
}

function Break({ part: { from, to, start, end } }: { part: AxisPart }) {
  return (
    <span
      className="absolute inset-y-0 flex items-center justify-center border-line-strong border-x border-dashed bg-sunken text-center font-medium text-muted leading-3"
      style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
      {...hint(`Cut short: ${duration(to - from)} of waiting`)}
    >
      {shortDuration(to - from)}
    </span>
  );
}

/** The larger of its two units alone: a break has room for no more. */
function shortDuration(milliseconds: number): string {
  return duration(milliseconds).split(' ').slice(0, 2).join(' ');
}
