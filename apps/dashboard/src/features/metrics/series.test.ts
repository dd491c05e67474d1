import { seriesOf, ticksOf } from './series';

const DAY = 86_400_000;
const row = (day: number, key: string | null, costUsd: string, others = false) => ({
  at: new Date(day * DAY).toISOString(),
  key,
  others,
  costUsd,
  wasteUsd: '0.000000',
});

describe('what a chart of spending shows', () => {
  test('a column for every day, and each part in it, with every digit', () => {
    const data = [row(0, 'a', '0.1'), row(2, 'a', '0.2'), row(0, null, '0.0000000001')];
    const { parts, columns } = seriesOf({ data }, 0, 3 * DAY, 'day');
    expect(parts).toEqual([
      { key: 'a', others: false, costUsd: '0.3' },
      { key: null, others: false, costUsd: '0.0000000001' },
    ]);
    expect(columns.map(({ total }) => total)).toEqual(['0.1000000001', '0', '0.2']);
  });

  test('the parts beyond the first five are one more, with what the API did not tell apart', () => {
    const data = [...'abcdefg'].map((key) => row(0, key, '1')).concat(row(0, null, '0.5', true));
    const { parts, columns } = seriesOf({ data }, 0, DAY, 'day');
    expect(parts).toHaveLength(6);
    expect(parts.at(-1)).toEqual({ key: null, others: true, costUsd: '2.5' });
    expect(columns[0]?.total).toBe('7.5');
  });

  test('the last column may be a part of a day', () => {
    const { columns } = seriesOf({ data: [] }, 0, DAY + 3_600_000, 'day');
    expect(columns.map(({ from, to }) => to - from)).toEqual([DAY, 3_600_000]);
  });

  test('lines are at round values, the last at or above the most', () => {
    expect(ticksOf(3)).toEqual([1, 2, 3]);
    expect(ticksOf(7.4)).toEqual([5, 10]);
    expect(ticksOf(0.0004)[0]).toBeCloseTo(0.0002, 10);
    expect(ticksOf(0)).toEqual([]);
  });
});
