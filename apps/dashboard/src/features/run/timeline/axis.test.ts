import fc from 'fast-check';
import { axisOf, placeOf, ticksOf } from './axis';
import type { Bar, TimelineRow } from './timeline';

const HOUR = 3_600_000;

function row(kind: Bar['kind'], from: number, to: number | null): TimelineRow {
  const bars: Bar[] = [{ key: `${from}`, kind, from, to, tone: 'neutral' }];
  const rest = { name: '', depth: 1, tone: 'neutral', turn: 1, opens: null } as const;
  return { key: `${from}`, kind: 'tool_call', bars, from, to, ...rest };
}

test('a wait of hours between steps of milliseconds leaves the steps readable', () => {
  const rows = [
    row('model_call', 0, 400),
    row('approval_wait', 400, 400 + 3 * HOUR),
    row('tool_call', 400 + 3 * HOUR, 600 + 3 * HOUR),
  ];
  const axis = axisOf(rows, 0, 0.1);
  expect(axis.map(({ broken }) => broken)).toEqual([false, true, false]);
  expect(axis[1]).toMatchObject({ from: 400, to: 400 + 3 * HOUR });
  expect(placeOf(axis, 400)).toBeCloseTo(0.6);
  expect(placeOf(axis, 400 + 3 * HOUR)).toBeCloseTo(0.7);
});

test('a short wait is drawn as long as it was', () => {
  const axis = axisOf(
    [row('model_call', 0, 1_000), row('queue_wait', 1_000, 1_200), row('tool_call', 1_200, 2_000)],
    0,
    0.1,
  );
  expect(axis).toEqual([{ from: 0, to: 2_000, start: 0, end: 1, broken: false }]);
});

test('a wait during which something else works is not cut', () => {
  const axis = axisOf([row('approval_wait', 0, 10_000), row('tool_call', 0, 10_000)], 0, 0.1);
  expect(axis.some(({ broken }) => broken)).toBe(false);
});

test('what goes on reaches to now', () => {
  const axis = axisOf([row('tool_call', 0, null)], 5_000, 0.1);
  expect(axis.at(-1)?.to).toBe(5_000);
  expect(placeOf(axis, 2_500)).toBeCloseTo(0.5);
});

test('many breaks leave half of the axis to the work', () => {
  const rows = Array.from({ length: 40 }, (_, index) => row('tool_call', index * HOUR, index * HOUR + 10));
  const broken = axisOf(rows, 0, 0.1).filter((part) => part.broken);
  expect(broken).toHaveLength(39);
  expect(broken.reduce((sum, { start, end }) => sum + end - start, 0)).toBeCloseTo(0.5);
});

const stretch = fc.record({
  kind: fc.constantFrom<Bar['kind']>('model_call', 'tool_call', 'approval_wait', 'queue_wait', 'mark'),
  from: fc.integer({ min: 0, max: 10 * HOUR }),
  took: fc.integer({ min: 0, max: HOUR }),
});

test('the parts of an axis join without a gap from its beginning to its end, and later is never further left', () => {
  fc.assert(
    fc.property(
      fc.array(stretch, { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0.01, max: 0.3, noNaN: true }),
      (all, share) => {
        const rows = all.map(({ kind, from, took }) => row(kind, from, from + took));
        const axis = axisOf(rows, 0, share);
        expect(axis[0]?.start).toBe(0);
        expect(axis.at(-1)?.end).toBeCloseTo(1);
        axis.slice(1).forEach((part, position) => {
          expect(part.from).toBe(axis[position]?.to);
          expect(part.start).toBe(axis[position]?.end);
        });
        const times = rows.flatMap(({ from, to }) => [from, to ?? 0]).sort((a, b) => a - b);
        const places = times.map((at) => placeOf(axis, at));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      },
    ),
  );
});

test('ticks are round times, as close as there is room for', () => {
  const part = { from: 0, to: 3_300, start: 0, end: 1, broken: false };
  expect(ticksOf(part, 0.2).map(({ after }) => after)).toEqual([1_000, 2_000, 3_000]);
  expect(ticksOf({ ...part, broken: true }, 0.2)).toEqual([]);
});
