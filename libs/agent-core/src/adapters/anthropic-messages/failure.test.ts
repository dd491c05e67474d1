import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { type AttemptFacts, failureOf } from '../wire/failure.js';
import { ErrorInReply } from '../wire/reply-error.js';
import { readSdkError } from './anthropic-client.js';

const facts: AttemptFacts = {
  readSdkError,
  apiKey: 'secret-key-of-the-tenant',
  wasAborted: false,
  wasSilent: false,
  wasTried: true,
  transportError: null,
  usage: null,
  now: Date.parse('Wed, 21 Oct 2026 07:28:00 GMT'),
};

const body = (type: string, message = 'words') => ({ type: 'error', error: { type, message } });
const status = (code: number, content: object, headers = {}) =>
  failureOf(APIError.generate(code, content, undefined, new Headers(headers)), facts);

describe('an HTTP error of Anthropic', () => {
  it.each([
    [400, 'invalid_request_error', 'bad_request'],
    [401, 'authentication_error', 'unauthorized'],
    [402, 'billing_error', 'billing'],
    [403, 'permission_error', 'unauthorized'],
    [404, 'not_found_error', 'bad_request'],
    [413, 'request_too_large', 'context_overflow'],
    [429, 'rate_limit_error', 'rate_limited'],
    [500, 'api_error', 'overloaded'],
    [504, 'timeout_error', 'overloaded'],
    [529, 'overloaded_error', 'overloaded'],
  ])('%i %s is %s', (code, type, expected) => {
    const message = `HTTP ${code}: words`;
    expect(status(code, body(type))).toMatchObject({
      code: expected,
      status: code,
      neverSent: false,
      message,
    });
  });

  it.each([
    ['Your credit balance is too low to access the Anthropic API.', 'billing'],
    ['You have reached your specified API usage limits. You will regain access on 2026-12-01.', 'billing'],
    ['prompt is too long: 213462 tokens > 200000 maximum', 'context_overflow'],
    [
      'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length',
      'context_overflow',
    ],
    ['Output blocked by content filtering policy', 'refused'],
    [
      'messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified',
      'bad_request',
    ],
  ])('400 that says %j is %s, never tried again', (message, expected) => {
    expect(status(400, body('invalid_request_error', message)).code).toBe(expected);
  });

  it.each([
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after-ms': '1574', 'retry-after': '12' }, 1_574],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 30_000],
    [{ 'retry-after': '-1' }, null],
    [{}, null],
  ])('%j asks to wait %s ms', (headers, expected) => {
    expect(status(429, body('rate_limit_error'), headers).retryAfterMs).toBe(expected);
  });

  it('never shows a key', () => {
    const message = 'invalid x-api-key: sk-ant-api03-abc, also secret-key-of-the-tenant';
    expect(status(401, body('authentication_error', message)).message).not.toMatch(/sk-ant|secret-key/);
  });
});

describe('an error within a reply of Anthropic', () => {
  it.each([
    ['overloaded_error', 'overloaded'],
    ['api_error', 'overloaded'],
    ['timeout_error', 'timeout'],
    ['rate_limit_error', 'rate_limited'],
    ['billing_error', 'billing'],
    ['invalid_request_error', 'bad_request'],
    ['a_new_error', 'unreadable'],
  ])('%s is %s, without a status: it may have cost something', (type, expected) => {
    expect(failureOf(new ErrorInReply(body(type)), facts)).toMatchObject({ code: expected, status: null });
  });
});

it('a connection that failed is no word of the provider', () => {
  const error = new APIConnectionError({ message: 'Connection error.' });
  expect(failureOf(error, facts)).toMatchObject({ code: 'unreadable', neverSent: false });
  expect(failureOf(new APIUserAbortError(), facts).code).toBe('aborted');
});
