import { Go } from '../../frame/go';
import { cn } from '../../kit/cn';
import { formatExactMoney, formatMoney } from '../../kit/decimal';
import { hint } from '../../kit/hint';
import { useBehind } from './behind';
import type { Unit } from './scope';
import { type Column, type Series, ticksOf } from './series';
import { SHADES } from './shades';
import { timeLabel, timeWords } from './times';

interface SpendChartProps {
  series: Series;
  unit: Unit;
  names: readonly string[];
}

/** So many times are named under the chart at most. */
const NAMED = 6;

/** What was spent, a column for every day or hour, divided by part. A column leads to the runs behind it. */
export function SpendChart({ series: { columns, parts }, unit, names }: SpendChartProps) {
  const most = Math.max(...columns.map(({ total }) => Number(total)));
  const ticks = ticksOf(most);
  const top = ticks.at(-1) ?? 1;
  const every = Math.ceil(columns.length / NAMED);
  return (
    <div className="flex flex-col">
      <div className="relative h-48 border-line-strong border-b">
        {ticks.map((tick) => (
          <div
            key={tick}
            aria-hidden
            className="pointer-events-none absolute inset-x-0 border-line-soft border-t"
            style={{ bottom: `${(tick / top) * 100}%` }}
          >
            <span className="figures absolute top-0.5 left-0 font-mono text-11 text-faint">
              {formatMoney(plain(tick), 'USD')}
            </span>
          </div>
        ))}
        <div className="absolute inset-0 flex pl-12">
          {columns.map((column) => (
            <Bar
              key={column.from}
              column={column}
              top={top}
              unit={unit}
              names={names}
              kinds={parts.map(({ others }) => others)}
            />
          ))}
        </div>
      </div>
      <div aria-hidden className="relative h-5 pl-12">
        <div className="relative">
          {columns.map(({ from }, index) =>
            index % every === 0 ? (
              <span
                key={from}
                className="figures absolute top-1 whitespace-nowrap text-11 text-faint"
                style={{ left: `${(index / columns.length) * 100}%` }}
              >
                {timeLabel(from, unit)}
              </span>
            ) : null,
          )}
        </div>
      </div>
    </div>
  );
}

interface BarProps {
  column: Column;
  top: number;
  unit: Unit;
  names: readonly string[];
  kinds: readonly boolean[];
}

/** By the keyboard and by ear the table behind the chart is used: here are as many stops as there are days. */
function Bar({ column, top, unit, names, kinds }: BarProps) {
  const behind = useBehind();
  const href = behind({ moment: 'spent', from: column.from, to: column.to });
  const stack = (
    <span
      className="absolute inset-x-[14%] bottom-0 flex flex-col-reverse gap-px"
      style={{ height: `${(Number(column.total) / top) * 100}%` }}
    >
      {column.costs.map((cost, index) =>
        Number(cost) === 0 ? null : (
          <span
            key={names[index]}
            className={cn('min-h-px w-full', SHADES[kinds[index] === true ? SHADES.length - 1 : index])}
            // As a share of 100: factors whose sum is below 1 hand out only so much of the height.
            style={{ flexGrow: (Number(cost) / Number(column.total)) * 100, flexBasis: 0 }}
          />
        ),
      )}
    </span>
  );
  const look = 'relative h-full min-w-0 flex-1 hover:bg-hover';
  const said = hint(words(column, unit, names));
  return href === null ? (
    <span aria-hidden className={look} {...said}>
      {stack}
    </span>
  ) : (
    <Go href={href} aria-hidden tabIndex={-1} className={look} {...said}>
      {stack}
    </Go>
  );
}

function words({ from, total, costs }: Column, unit: Unit, names: readonly string[]): string {
  const parts = names.flatMap((name, index) => {
    const cost = costs[index] ?? '0';
    return Number(cost) === 0 ? [] : [`${name}  ${formatMoney(cost, 'USD')}`];
  });
  return [timeWords(from, unit), formatExactMoney(total, 'USD'), ...(parts.length > 1 ? parts : [])].join(
    '\n',
  );
}

/** A tick as a decimal string: ticks are round, so no digit is lost. */
function plain(tick: number): string {
  return tick.toFixed(12).replace(/\.?0+$/, '');
}
