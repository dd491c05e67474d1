import { cn } from '../../kit/cn';
import { Money } from '../../kit/money';
import { Name } from './bar-table';
import { type Behind, useBehind } from './behind';
import type { Part, Unit } from './scope';
import type { Series, SpendPart } from './series';
import { SHADES } from './shades';
import { timeWords } from './times';

const head = 'pb-1 font-normal text-11 text-faint';
const cell = 'whitespace-nowrap py-1 pl-4 text-right';

interface DaysTableProps {
  series: Series;
  unit: Unit;
  names: readonly string[];
}

/** The table behind the chart: every column, newest first, with every digit. */
export function DaysTable({ series: { columns, parts }, unit, names }: DaysTableProps) {
  const behind = useBehind();
  return (
    <div className="max-h-80 overflow-auto">
      <table aria-label={unit === 'day' ? 'Spend by day' : 'Spend by hour'} className="w-full text-left">
        <thead>
          <tr>
            <th scope="col" className={head}>
              {unit === 'day' ? 'Day (UTC)' : 'Hour (UTC)'}
            </th>
            <th scope="col" className={cn(head, 'pl-4 text-right')}>
              All
            </th>
            {parts.map((part, index) => (
              <th key={nameKey(part)} scope="col" className={cn(head, 'pl-4 text-right')}>
                {names[index]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...columns].reverse().map(({ from, to, total, costs }) => (
            <tr key={from} className="border-line-soft border-t">
              <th scope="row" className="whitespace-nowrap py-1 font-normal">
                <Name href={behind({ moment: 'spent', from, to })}>{timeWords(from, unit)}</Name>
              </th>
              <td className={cell}>
                <Money amount={total} exact />
              </td>
              {parts.map((part, index) => (
                <td key={nameKey(part)} className={cn(cell, 'text-muted')}>
                  <Money amount={costs[index] ?? '0'} exact />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PartsTableProps {
  label: string;
  series: Series;
  total: string;
  by: Part;
  names: readonly string[];
  /** Where a tenant's own metrics are. */
  hrefOfTenant: (id: string) => string;
}

/** The legend of the chart: each part with its shade, what it cost, and its share. */
export function PartsTable({ label, series: { parts }, total, by, names, hrefOfTenant }: PartsTableProps) {
  const behind = useBehind();
  const hrefOf = ({ key, others }: SpendPart): string | null => {
    if (key === null || others) return null;
    if (by === 'tenant') return hrefOfTenant(key);
    return behind({ moment: 'spent', [by]: key } as Behind);
  };
  return (
    <table aria-label={label} className="w-full text-left">
      <thead>
        <tr>
          <th scope="col" className={head}>
            {label}
          </th>
          <th scope="col" className={cn(head, 'text-right')}>
            Spend
          </th>
          <th scope="col" className={cn(head, 'pl-4 text-right')}>
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part, index) => (
          <tr key={nameKey(part)} className="border-line-soft border-t">
            <th scope="row" className="w-full max-w-0 py-1 font-normal">
              <span className="flex items-center gap-2">
                <span
                  aria-hidden
                  className={cn(
                    'size-2.5 shrink-0 rounded-4',
                    SHADES[part.others ? SHADES.length - 1 : index],
                  )}
                />
                <span className="min-w-0 flex-1">
                  <Name href={hrefOf(part)}>{names[index]}</Name>
                </span>
              </span>
            </th>
            <td className={cell}>
              <Money amount={part.costUsd} />
            </td>
            <td className={cn(cell, 'figures text-muted')}>{percent(Number(part.costUsd), Number(total))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const nameKey = ({ key, others }: SpendPart): string => (others ? 'others' : `key ${key}`);

/** `12.3 %`; nothing of nothing is none. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const share = (part / whole) * 100;
  return share < 0.1 ? '< 0.1 %' : `${share.toFixed(share >= 99.95 ? 0 : 1)} %`;
}
