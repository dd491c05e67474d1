import { backoffMs, parseRetryAfter, pause } from './retry.js';

const NOW = Date.parse('2026-11-02T10:00:00.000Z');

test.each<[string | null, number | null]>([
  [null, null],
  ['', null],
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['1.5', null],
  ['-3', null],
  ['soon', null],
  ['Infinity', null],
  ['99999999999999999999', null],
  ['31536000', 31_536_000_000],
  ['Mon, 02 Nov 2026 10:00:30 GMT', 30_000],
  ['Mon, 02 Nov 2026 09:00:00 GMT', 0],
  ['Monday, 02-Nov-26 10:00:30 GMT', 30_000],
  ['2026-11-02T10:00:30Z', null],
])('Retry-After %j is read as %j ms', (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});

test('the back-off doubles, is jittered over its whole range, and is bounded', () => {
  expect([1, 2, 3, 4].map((attempts) => backoffMs(attempts, null, () => 0.999_999))).toEqual([
    249, 499, 999, 1_999,
  ]);
  expect(backoffMs(50, null, () => 0.999_999)).toBe(9_999);
  expect(backoffMs(3, null, () => 0)).toBe(0);
});

test('Retry-After is honoured', () => {
  expect(backoffMs(1, 5_000, () => 0.5)).toBe(5_000);
  expect(backoffMs(1, 0, () => 0.5)).toBe(125);
});

test('a pause ends at once when it is aborted', async () => {
  const stop = new AbortController();
  const pausing = pause(600_000, stop.signal);
  stop.abort();
  await expect(pausing).resolves.toBe(false);
  await expect(pause(0, new AbortController().signal)).resolves.toBe(true);
  await expect(pause(0, AbortSignal.abort())).resolves.toBe(false);
});
