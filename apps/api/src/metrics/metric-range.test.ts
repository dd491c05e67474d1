import { rangeOf } from './metric-range.js';

const NOW = Date.parse('2026-10-21T09:30:00.000Z');

function hours(query: { from?: string; to?: string }): readonly string[] {
  const { from, to } = rangeOf(query, NOW);
  return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
}

describe('the hours that metrics are asked for', () => {
  test('end with the present one and begin with a day, thirty of them', () => {
    expect(hours({})).toEqual(['2026-09-22T00:00', '2026-10-21T10:00']);
    expect(hours({ to: '2026-10-21T00:00:00Z' })).toEqual(['2026-09-21T00:00', '2026-10-21T00:00']);
    expect(hours({ from: '2026-10-20T22:00:00+02:00' })).toEqual(['2026-10-20T20:00', '2026-10-21T10:00']);
  });

  test('hold at least one, and at most 366 days', () => {
    expect(() => rangeOf({ from: '2026-10-21T10:00:00Z' }, NOW)).toThrow('before the end');
    expect(() => rangeOf({ from: '2025-10-20T09:00:00Z' }, NOW)).toThrow('366 days');
    expect(hours({ from: '2025-10-20T10:00:00Z' })).toEqual(['2025-10-20T10:00', '2026-10-21T10:00']);
  });
});
