import { retryAfterMs } from './retry-after.js';

const NOW = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
const wait = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), NOW);

describe('how long a provider asks us to wait', () => {
  it.each([
    [{ 'retry-after-ms': '1574', 'retry-after': '60' }, 1574],
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 09:00:10 GMT', date: 'Wed, 21 Oct 2026 09:00:00 GMT' }, 10_000],
    [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
  ])('%j is %i ms', (headers, expected) => {
    expect(wait(headers as Record<string, string>)).toBe(expected);
  });

  it.each([
    [{}],
    [{ 'retry-after': '0' }],
    [{ 'retry-after': '-5' }],
    [{ 'retry-after': '1e9' }],
    [{ 'retry-after': '99999999999' }],
    [{ 'retry-after': 'tomorrow' }],
    [{ 'retry-after': 'Wed, 21 Oct 2020 07:28:30 GMT' }],
    [{ 'retry-after-ms': '-1' }],
  ])('%j says nothing usable', (headers) => {
    expect(wait(headers as Record<string, string>)).toBeNull();
  });
});
