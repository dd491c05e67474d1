import { cn } from '../../../kit/cn';
import { hint } from '../../../kit/hint';
import { duration } from '../../../kit/times';
import type { Tone } from '../../../kit/tone';
import { type AxisPart, placeOf } from './axis';
import type { Bar, TimelineRow } from './timeline';

interface BarsProps {
  row: TimelineRow;
  axis: readonly AxisPart[];
  now: number;
}

/** The stretches of a row on the axis: work is filled, waits are hatched, what goes on has an open end. */
export function Bars({ row, axis, now }: BarsProps) {
  return (
    <span aria-hidden className="relative block h-full">
      {axis
        .filter(({ broken }) => broken)
        .map(({ start, end }) => (
          <span
            key={start}
            className="absolute inset-y-0 border-line-strong/60 border-x border-dashed max-md:hidden"
            style={{ left: percent(start), width: percent(end - start) }}
          />
        ))}
      {row.kind === 'turn' ? (
        <TurnLine row={row} axis={axis} now={now} />
      ) : (
        row.bars.map((bar) => <OneBar key={bar.key} bar={bar} axis={axis} now={now} />)
      )}
    </span>
  );
}

function TurnLine({ row: { from, to }, axis, now }: BarsProps) {
  if (isBeside(axis, from, to ?? now)) {
    return null;
  }
  const start = placeOf(axis, from);
  return (
    <span
      className="absolute top-1/2 h-1.5 min-w-0.5 -translate-y-1/2 border-line-strong border-x border-b"
      style={{ left: percent(start), width: percent(placeOf(axis, to ?? now) - start) }}
    />
  );
}

function OneBar({ bar, axis, now }: { bar: Bar; axis: readonly AxisPart[]; now: number }) {
  const { kind, tone, from, to } = bar;
  const end = Math.max(from, to ?? now);
  if (isBeside(axis, from, end)) {
    return null;
  }
  const start = placeOf(axis, from);
  const isWait = kind !== 'model_call' && kind !== 'tool_call' && kind !== 'mark';
  return (
    <span
      className={cn(
        'absolute top-1/2 h-2.5 min-w-0.5 -translate-y-1/2 rounded-[2px]',
        isWait ? HATCHED[tone] : (kind === 'model_call' ? MODEL : FILLED)[tone],
        kind === 'mark' && 'h-3.5 rounded-none',
        to === null && 'rounded-r-none',
        to === null && !isWait && 'animate-breathe',
      )}
      style={{ left: percent(start), width: percent(placeOf(axis, end) - start) }}
      {...hint(kind === 'mark' ? 'Took no time' : duration(end - from))}
    />
  );
}

/** Whether a stretch lies wholly before the axis begins, or after it ends: that of one turn shows no other. */
function isBeside(axis: readonly AxisPart[], from: number, to: number): boolean {
  const [first, last] = [axis[0], axis.at(-1)];
  return (
    first === undefined ||
    last === undefined ||
    (from < first.from && to <= first.from) ||
    (to > last.to && from >= last.to)
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

const FILLED: Readonly<Record<Tone, string>> = {
  neutral: 'bg-ink/75',
  amber: 'bg-amber',
  blue: 'bg-blue',
  green: 'bg-green',
  red: 'bg-red',
  violet: 'bg-violet',
};

/** Models are lighter than tools: what acts on the world stands out. */
const MODEL: Readonly<Record<Tone, string>> = { ...FILLED, neutral: 'bg-faint/65' };

const HATCHED: Readonly<Record<Tone, string>> = {
  neutral: 'hatched text-faint',
  amber: 'hatched text-amber',
  blue: 'hatched text-blue',
  green: 'hatched text-green',
  red: 'hatched text-red',
  violet: 'hatched text-violet',
};
