import { clock, duration, relativeTime } from './times';

const now = Date.parse('2026-10-21T12:00:00.000Z');
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [3 * second, 'now'],
  [42 * second, '42 s ago'],
  [59 * second, '59 s ago'],
  [minute, '1 min ago'],
  [23 * hour, '23 h ago'],
  [29 * day, '29 d ago'],
  [30 * day, '2026-09-21'],
  [-5 * minute, 'in 5 min'],
])('%d milliseconds ago is said as %s', (ago, words) => {
  expect(relativeTime(now - ago, now)).toBe(words);
});

test.each([
  [840, '840 ms'],
  [12_490, '12.4 s'],
  [59_999, '59.9 s'],
  [200 * second, '3 min 20 s'],
  [2 * hour + 5 * minute, '2 h 5 min'],
  [3 * day + 4 * hour, '3 d 4 h'],
  [2 * hour, '2 h'],
])('%d milliseconds last %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});

test('a clock runs down to zero and not below', () => {
  expect([clock(130 * second), clock(1), clock(0), clock(-5), clock(3_849_000)]).toEqual([
    '2:10',
    '0:01',
    '0:00',
    '0:00',
    '1:04:09',
  ]);
});
