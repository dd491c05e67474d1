import type { ModelFailureCode } from '../../model/model-event.js';
import { GoogleErrorInReply, readGoogleError } from './google-error.js';

const refused = (error: unknown, status: number, headers = {}) =>
  readGoogleError(new Error(JSON.stringify(error)), new Response('', { status, headers }));
const google = (code: number, status: string, message: string, details: readonly unknown[] = []) => ({
  error: { code, status, message, details },
});
const quota = (quotaId: string, quotaValue?: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId, quotaValue }],
});
const reason = (word: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: word });
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';

describe('an error with an HTTP status', () => {
  it.each<[string, unknown, number, ModelFailureCode]>([
    [
      'a rate limit by the minute',
      google(429, 'RESOURCE_EXHAUSTED', QUOTA, [quota('PerMinute', '15')]),
      429,
      'rate_limited',
    ],
    [
      'a quota by the day',
      google(429, 'RESOURCE_EXHAUSTED', QUOTA, [quota('GenerateRequestsPerDayPerModel')]),
      429,
      'billing',
    ],
    [
      'a quota of nothing',
      google(429, 'RESOURCE_EXHAUSTED', QUOTA, [quota('PerMinute', '0')]),
      429,
      'billing',
    ],
    [
      'credits that are spent',
      google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
      429,
      'billing',
    ],
    [
      'billing that is off',
      google(403, 'PERMISSION_DENIED', 'x', [reason('BILLING_DISABLED')]),
      403,
      'billing',
    ],
    [
      'a wrong key',
      google(400, 'INVALID_ARGUMENT', 'API key not valid.', [reason('API_KEY_INVALID')]),
      400,
      'unauthorized',
    ],
    ['a key without the right', google(403, 'PERMISSION_DENIED', 'denied'), 403, 'unauthorized'],
    [
      'a conversation too long',
      google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
      ),
      400,
      'context_overflow',
    ],
    [
      'a wrong request',
      google(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unknown name "x"'),
      400,
      'bad_request',
    ],
    ['an unknown model', google(404, 'NOT_FOUND', 'models/x is not found'), 404, 'bad_request'],
    ['a time-out', google(504, 'DEADLINE_EXCEEDED', 'late'), 504, 'timeout'],
    ['a call that Google gave up', google(499, 'CANCELLED', 'gone'), 499, 'overloaded'],
    ['an inner error', google(500, 'INTERNAL', 'oops'), 500, 'overloaded'],
    ['a body without words', 'nothing', 502, 'overloaded'],
  ])('%s', (_, body, status, code) => {
    expect(refused(body, status)).toMatchObject({ type: 'understood', code, status });
  });

  it('asks for the wait in its details, unless a header does', () => {
    const body = google(429, 'RESOURCE_EXHAUSTED', 'later', [
      quota('PerMinute'),
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.074824224s' },
    ]);
    expect(refused(body, 429)).toMatchObject({ retryAfterMs: 34_075 });
    expect(refused(body, 429, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each(['0s', '-5s', '1e9s', 'soon', '90000000s', 7])('asks for nothing by %j', (retryDelay) => {
    expect(refused(google(429, 'X', 'later', [{ retryDelay }]), 429)).toMatchObject({ retryAfterMs: null });
  });

  it('says what the provider said, and is none without a response', () => {
    expect(refused(google(400, 'INVALID_ARGUMENT', 'bad words'), 400)).toMatchObject({
      message: 'HTTP 400: bad words',
    });
    expect(readGoogleError(new Error('fetch failed'), null)).toBeNull();
  });
});

describe('an error inside a reply', () => {
  it.each<[unknown, ModelFailureCode]>([
    [google(503, 'UNAVAILABLE', 'overloaded'), 'overloaded'],
    [google(429, 'RESOURCE_EXHAUSTED', QUOTA), 'rate_limited'],
    [google(400, 'INVALID_ARGUMENT', 'bad'), 'bad_request'],
    [{ error: { code: 'too_many_requests', message: 'x' } }, 'unreadable'],
    [{ error: 'a text' }, 'unreadable'],
  ])('%j is %s', (body, code) => {
    expect(readGoogleError(new GoogleErrorInReply(body as never), null)).toMatchObject({
      code,
      status: null,
    });
  });
});
