import type { TimelineRow } from './timeline';

/** A part of the axis: linear, or a wait that was cut short (`broken`). Times in milliseconds, places from 0 to 1. */
export interface AxisPart {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly broken: boolean;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** No wait is cut that is shorter, in milliseconds. */
const LEAST_BREAK_MS = 250;
/** Of the axis, all breaks together. */
const MOST_BREAKS = 0.5;

/**
 * One axis for a run that may have worked for milliseconds and waited for days: what lies between stretches of work, and
 * is longer than a quarter of all of it, takes a fixed share `breakShare` each instead of its length.
 */
export function axisOf(rows: readonly TimelineRow[], now: number, breakShare: number): AxisPart[] {
  const from = Math.min(...rows.map((row) => row.from));
  const to = Math.max(from + 1, ...rows.map((row) => row.to ?? now));
  const busy = merged(workOf(rows, now));
  const worked = busy.reduce((sum, interval) => sum + interval.to - interval.from, 0);
  const longest = Math.max(LEAST_BREAK_MS, worked / 4);
  const pieces = cut({ from, to }, busy.length === 0 ? [] : idle({ from, to }, busy, longest));
  const broken = pieces.filter((piece) => piece.broken).length;
  const share = broken === 0 ? 0 : Math.min(breakShare, MOST_BREAKS / broken);
  const linear = pieces.reduce((sum, piece) => sum + (piece.broken ? 0 : piece.to - piece.from), 0);
  let start = 0;
  return pieces.map((piece) => {
    const width = piece.broken
      ? share
      : ((piece.to - piece.from) / Math.max(1, linear)) * (1 - share * broken);
    const part = { ...piece, start, end: start + width };
    start = part.end;
    return part;
  });
}

/** Where a time lies on the axis, from 0 to 1. */
export function placeOf(parts: readonly AxisPart[], at: number): number {
  const part = parts.find((each) => at <= each.to) ?? parts.at(-1);
  if (part === undefined) {
    return 0;
  }
  const within = (at - part.from) / Math.max(1, part.to - part.from);
  return part.start + Math.max(0, Math.min(1, within)) * (part.end - part.start);
}

function workOf(rows: readonly TimelineRow[], now: number): Interval[] {
  return rows.flatMap(({ bars }) =>
    bars
      .filter(({ kind }) => kind === 'model_call' || kind === 'tool_call' || kind === 'mark')
      .map(({ from, to }) => ({ from, to: to ?? now })),
  );
}

function merged(intervals: readonly Interval[]): Interval[] {
  const union: { from: number; to: number }[] = [];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = union.at(-1);
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
    } else {
      union.push({ from, to });
    }
  }
  return union;
}

/** The gaps between work that are longer than `longest`, with a rim on either side, so that nothing touches a break. */
function idle({ from, to }: Interval, busy: readonly Interval[], longest: number): Interval[] {
  const starts = [from, ...busy.map((interval) => interval.to)];
  const ends = [...busy.map((interval) => interval.from), to];
  return starts
    .map((start, position) => ({ from: start, to: ends[position] ?? to }))
    .filter((gap) => gap.to - gap.from > longest);
}

function cut({ from, to }: Interval, breaks: readonly Interval[]): (Interval & { broken: boolean })[] {
  const pieces: (Interval & { broken: boolean })[] = [];
  let at = from;
  for (const gap of breaks) {
    if (gap.from > at) {
      pieces.push({ from: at, to: gap.from, broken: false });
    }
    pieces.push({ ...gap, broken: true });
    at = gap.to;
  }
  return at < to ? [...pieces, { from: at, to, broken: false }] : pieces;
}

export interface Tick {
  /** From 0 to 1. */
  readonly place: number;
  /** Since the part of the axis began, in milliseconds. */
  readonly after: number;
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000, 604_800_000,
];

/** Round times within a linear part, at least `gap` (of the whole axis) apart. */
export function ticksOf({ from, to, start, end, broken }: AxisPart, gap: number): Tick[] {
  const length = to - from;
  const step = STEPS_MS.find((each) => (each / length) * (end - start) >= gap);
  if (broken || step === undefined) {
    return [];
  }
  const count = Math.floor(length / step);
  return Array.from({ length: count }, (_, position) => {
    const after = (position + 1) * step;
    return { after, place: start + (after / length) * (end - start) };
  });
}
