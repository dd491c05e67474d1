import type { CostMetrics } from '@countersign/contracts';
import { sumDecimals } from '../../kit/decimal';
import type { Unit } from './scope';

/** One stretch of time, with what each of the parts cost in it, in their order. */
export interface Column {
  /** Milliseconds: when it begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Decimal strings. */
  readonly total: string;
  readonly costs: readonly string[];
}

/** One part of the spending over the whole time. `key` null: none; `others`: what is not told apart. */
export interface SpendPart {
  readonly key: string | null;
  readonly others: boolean;
  readonly costUsd: string;
}

export interface Series {
  readonly parts: readonly SpendPart[];
  readonly columns: readonly Column[];
}

const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<Unit, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** As many parts are told apart by shade; the rest is one more. */
const MOST_PARTS = 5;

/**
 * What a chart shows of costs that are told apart by time and by one more thing, dearest first: a column for every day or
 * hour, those in which nothing was spent included. Every sum is exact.
 */
export function seriesOf({ data }: Pick<CostMetrics, 'data'>, from: number, to: number, unit: Unit): Series {
  const names = [...new Set(data.map(nameOf))];
  const told = names.filter((name) => name !== OTHERS).slice(0, MOST_PARTS);
  const rest = names.filter((name) => !told.includes(name));
  const groups = [...told.map((name) => [name]), ...(rest.length === 0 ? [] : [rest])];
  const costOf = (rows: CostMetrics['data'], among: readonly string[]) =>
    sumDecimals(rows.filter((row) => among.includes(nameOf(row))).map(({ costUsd }) => costUsd));
  const columns: Column[] = [];
  for (let at = from; at < to; at += UNIT_MS[unit]) {
    const rows = data.filter((row) => row.at !== null && Date.parse(row.at) === at);
    const costs = groups.map((among) => costOf(rows, among));
    columns.push({ from: at, to: Math.min(at + UNIT_MS[unit], to), costs, total: sumDecimals(costs) });
  }
  const parts = groups.map((among, index): SpendPart => {
    const others = index >= told.length;
    const key = others ? null : (data.find((row) => nameOf(row) === among[0])?.key ?? null);
    return { key, others, costUsd: costOf(data, among) };
  });
  return { parts, columns };
}

const OTHERS = 'others';

function nameOf({ key, others }: CostMetrics['data'][number]): string {
  return others ? OTHERS : JSON.stringify(key);
}

/** Round values that lines are drawn at, from the lowest, up to or just above `most`: 1, 2 or 5 times a power of ten. */
export function ticksOf(most: number): readonly number[] {
  if (most <= 0) return [];
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step - 1e-9) }, (_, index) => (index + 1) * step);
}
