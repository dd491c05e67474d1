import { APIConnectionError, APIError } from 'openai';
import { type AttemptFacts, failureOf } from '../wire/failure.js';
import { ErrorInReply } from '../wire/reply-error.js';
import { readSdkError } from './openai-client.js';

const facts: AttemptFacts = {
  readSdkError,
  apiKey: 'secret-key-of-the-tenant',
  wasAborted: false,
  wasSilent: false,
  wasTried: true,
  transportError: null,
  usage: null,
  now: 0,
};

const status = (code: number, error: unknown, headers = {}) =>
  failureOf(APIError.generate(code, { error }, undefined, new Headers(headers)), facts);
const transport = (error: unknown) =>
  failureOf(new APIConnectionError({ message: 'Connection error.' }), { ...facts, transportError: error });
const withCode = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

describe('an HTTP error', () => {
  it.each([
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [402, 'billing'],
    [403, 'unauthorized'],
    [404, 'bad_request'],
    [408, 'timeout'],
    [409, 'overloaded'],
    [413, 'bad_request'],
    [422, 'bad_request'],
    [429, 'rate_limited'],
    [500, 'overloaded'],
    [503, 'overloaded'],
    [529, 'overloaded'],
    [302, 'bad_request'],
  ])('%i is %s and keeps its status', (code, expected) => {
    expect(status(code, { message: 'words' })).toMatchObject({
      code: expected,
      status: code,
      neverSent: false,
    });
  });

  it.each([
    [429, { code: 'insufficient_quota', message: '' }, 'billing'],
    [429, { type: 'insufficient_quota', code: null, message: '' }, 'billing'],
    [403, { message: 'Insufficient Balance' }, 'billing'],
    [429, { message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED' }, 'rate_limited'],
    [429, { message: 'Limit 30000, Requested 30601', code: 'rate_limit_exceeded' }, 'bad_request'],
    [
      429,
      { message: 'Limit 30000, Used 20000, Requested 12000', code: 'rate_limit_exceeded' },
      'rate_limited',
    ],
    [400, { code: 'context_length_exceeded', message: '' }, 'context_overflow'],
    [400, { message: "This model's maximum context length is 8192 tokens" }, 'context_overflow'],
    [400, { message: 'the request exceeds the available context size' }, 'context_overflow'],
    [400, 'prompt is too long: 210000 tokens', 'context_overflow'],
    [400, { code: 'content_filter', message: 'The response was filtered', param: 'prompt' }, 'refused'],
    [400, { code: 'content_policy_violation', type: 'image_generation_user_error', message: '' }, 'refused'],
    [
      400,
      {
        code: 'invalid_prompt',
        message: 'Your prompt was flagged as potentially violating our usage policy.',
      },
      'refused',
    ],
    [400, { code: 'invalid_prompt', message: 'Invalid prompt: the messages do not fit.' }, 'bad_request'],
  ])('%i with %j is %s', (code, body, expected) => {
    expect(status(code, body).code).toBe(expected);
  });

  it('says how long to wait', () => {
    expect(status(429, {}, { 'retry-after-ms': '1574', 'retry-after': '9' }).retryAfterMs).toBe(1574);
    expect(status(429, {}, { 'retry-after': '-3' }).retryAfterMs).toBeNull();
  });

  it('never shows a key', () => {
    const message = 'Incorrect API key provided: sk-proj-12**90, also secret-key-of-the-tenant.';
    const shown = status(401, { message }).message;
    expect(shown).not.toMatch(/sk-proj|secret-key/);
    expect(shown).toContain('Incorrect API key provided: [key]');
  });
});

describe('an error within a reply', () => {
  it.each([
    [{ error: { code: 502, message: 'upstream' } }, 'overloaded'],
    [{ error: { code: 429, message: 'slow down' } }, 'rate_limited'],
    [{ error: { type: 'server_error', message: 'x' } }, 'overloaded'],
    [{ error: { code: 'rate_limit_exceeded', message: 'x' } }, 'rate_limited'],
    [{ error: { code: 'insufficient_quota', message: 'x' } }, 'billing'],
    [{ error: { type: 'invalid_request_error', message: 'x' } }, 'bad_request'],
    [{ error: { code: 'content_filter', message: 'x' } }, 'refused'],
    [{ object: 'error', message: 'x', code: 400 }, 'bad_request'],
    [{ error: 'strange' }, 'unreadable'],
  ])('%j is %s, without a status: it may have cost something', (body, expected) => {
    expect(failureOf(new ErrorInReply(body), facts)).toMatchObject({
      code: expected,
      status: null,
      neverSent: false,
    });
  });
});

describe('a connection that failed', () => {
  it.each([
    ['ENOTFOUND', 'overloaded'],
    ['ECONNREFUSED', 'overloaded'],
    ['CERT_HAS_EXPIRED', 'overloaded'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ])('%s never reached the provider', (word, code) => {
    expect(transport(withCode(word))).toMatchObject({ code, neverSent: true, status: null });
  });

  it.each([
    ['ECONNRESET', 'unreadable'],
    ['UND_ERR_SOCKET', 'unreadable'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['ETIMEDOUT', 'timeout'],
  ])('%s may have reached it', (word, code) => {
    expect(transport(withCode(word))).toMatchObject({ code, neverSent: false });
  });

  it('at each of several addresses never reached the provider', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(
      transport(new TypeError('fetch failed', { cause: new AggregateError([refused, refused]) })),
    ).toMatchObject({
      neverSent: true,
    });
  });

  it.each([
    [
      { kind: 'refused', neverSent: true },
      { code: 'bad_request', neverSent: true },
    ],
    [
      { kind: 'dns', neverSent: true },
      { code: 'overloaded', neverSent: true },
    ],
    [
      { kind: 'timeout', neverSent: false },
      { code: 'timeout', neverSent: false },
    ],
    [
      { kind: 'broken', neverSent: false },
      { code: 'unreadable', neverSent: false },
    ],
  ])('is what the egress guard says: %j', (guard, expected) => {
    expect(transport(Object.assign(new Error('egress'), guard))).toMatchObject(expected);
  });
});

describe('an attempt that was given up', () => {
  it('is aborted, whatever it threw, with the usage that had arrived', () => {
    const usage = {
      inputTokens: 1,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 1,
      reasoningTokens: 0,
    };
    expect(failureOf(new Error('terminated'), { ...facts, wasAborted: true, usage })).toMatchObject({
      code: 'aborted',
      neverSent: false,
      usage,
    });
  });
});
