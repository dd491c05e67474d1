import type { ReactNode } from 'react';
import { Go } from '../../frame/go';
import { cn } from '../../kit/cn';

export interface BarRow {
  readonly id: string;
  readonly label: ReactNode;
  /** Its share of what the whole track stands for, from 0 to 1. */
  readonly length: number;
  /** What stands at the end of the row, one for each column. */
  readonly figures: readonly ReactNode[];
  /** Where the runs behind it are; null: nowhere. */
  readonly href: string | null;
  readonly tone?: keyof typeof BARS;
}

const BARS = {
  neutral: 'bg-line-strong',
  red: 'bg-red/70',
  amber: 'bg-amber/70',
  green: 'bg-green/60',
} as const;

interface BarTableProps {
  /** What the table is, for who cannot see where it stands. */
  label: string;
  /** What a row is, then what its figures are. */
  columns: readonly [string, ...string[]];
  rows: readonly BarRow[];
}

/** Amounts side by side: a table whose rows have a bar under them and lead to the runs behind them. */
export function BarTable({ label, columns: [first, ...rest], rows }: BarTableProps) {
  return (
    <table aria-label={label} className="w-full table-auto text-left">
      <thead>
        <tr className="text-11 text-faint">
          <th scope="col" className="pb-1 font-normal">
            {first}
          </th>
          {rest.map((column) => (
            <th key={column} scope="col" className="w-px whitespace-nowrap pb-1 pl-4 text-right font-normal">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="group/row border-line-soft border-t">
            <th scope="row" className="w-full max-w-0 py-1 font-normal">
              <Name href={row.href}>{row.label}</Name>
              <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken">
                <span
                  className={cn('block h-full rounded-full', BARS[row.tone ?? 'neutral'])}
                  style={{ width: `${Math.max(row.length * 100, row.length > 0 ? 1 : 0)}%` }}
                />
              </span>
            </th>
            {row.figures.map((figure, index) => (
              <td key={rest[index]} className="whitespace-nowrap py-1 pl-4 text-right align-top">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The name of a row, which leads to the runs behind it. */
export function Name({ href, children }: { href: string | null; children: ReactNode }) {
  return href === null ? (
    <span className="block truncate">{children}</span>
  ) : (
    <Go href={href} className="block truncate rounded-4 hover:text-accent-text hover:underline">
      {children}
    </Go>
  );
}
