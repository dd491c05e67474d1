import { classify, type Ending, type Meaning, type NetworkFailure } from './classify.js';

const STATUSES = Array.from({ length: 500 }, (_, index) => index + 100);
const response = (status: number, changes: { complete?: boolean; retryAfter?: boolean } = {}): Ending => ({
  type: 'response',
  status,
  complete: true,
  retryAfter: false,
  ...changes,
});
const error = (kind: NetworkFailure, neverSent: boolean): Ending => ({ type: 'error', kind, neverSent });

/** CONTRACT, An http call, spelled out status by status. */
const REFUSED_ONCE = [
  ...[400, 401, 402, 403, 404, 405, 406, 407],
  ...[410, 411, 412, 413, 414, 415, 416, 417, 418, 419, 420, 421, 422, 423, 424],
  ...[426, 428, 431, 451],
];
const NOT_RUN_ONCE = [425, 429];

test.each(STATUSES)('once: what status %i means', (status) => {
  const expected: Meaning =
    status >= 200 && status < 300
      ? 'ran'
      : REFUSED_ONCE.includes(status)
        ? 'failed'
        : NOT_RUN_ONCE.includes(status)
          ? 'retry'
          : 'unknown';
  expect(classify('once', response(status))).toBe(expected);
  const withRetryAfter = status === 503 ? 'retry' : expected;
  expect(classify('once', response(status, { retryAfter: true }))).toBe(withRetryAfter);
});

test.each(STATUSES)('read and idempotent: what status %i means', (status) => {
  const repeated = [408, 425, 429].includes(status) || status >= 500;
  const expected: Meaning = status >= 200 && status < 300 ? 'ran' : repeated ? 'retry' : 'failed';
  for (const effect of ['read', 'idempotent'] as const) {
    expect(classify(effect, response(status))).toBe(expected);
    expect(classify(effect, response(status, { retryAfter: true }))).toBe(expected);
  }
});

test.each([408, 409, 301, 302, 307, 308, 500, 502, 503, 504, 427, 430, 499])(
  'once: %i is unknown',
  (status) => {
    expect(classify('once', response(status))).toBe('unknown');
  },
);

test('a success whose body broke off is a broken connection', () => {
  expect(classify('once', response(200, { complete: false }))).toBe('unknown');
  expect(classify('idempotent', response(200, { complete: false }))).toBe('retry');
  expect(classify('read', response(200, { complete: false }))).toBe('retry');
});

test('a refusal whose body broke off is a refusal all the same', () => {
  expect(classify('once', response(422, { complete: false }))).toBe('failed');
  expect(classify('read', response(404, { complete: false }))).toBe('failed');
});

test.each<[NetworkFailure, boolean, Meaning, Meaning]>([
  ['refused', true, 'failed', 'failed'],
  ['dns', true, 'failed', 'retry'],
  ['connect', true, 'failed', 'retry'],
  ['tls', true, 'failed', 'retry'],
  ['timeout', true, 'failed', 'retry'],
  ['broken', true, 'failed', 'retry'],
  ['aborted', true, 'failed', 'failed'],
  ['timeout', false, 'unknown', 'retry'],
  ['broken', false, 'unknown', 'retry'],
  ['aborted', false, 'unknown', 'failed'],
])('%s, never sent %s: once %s, else %s', (kind, neverSent, once, repeatable) => {
  expect(classify('once', error(kind, neverSent))).toBe(once);
  expect(classify('read', error(kind, neverSent))).toBe(repeatable);
  expect(classify('idempotent', error(kind, neverSent))).toBe(repeatable);
});
