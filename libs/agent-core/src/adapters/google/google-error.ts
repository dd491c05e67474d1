import type { ModelFailureCode } from '../../model/model-event.js';
import { retryAfterMs } from '../../model/retry-after.js';
import { type JsonObject, type JsonValue, parseJson } from '../../shared/json.js';
import { codeOfStatus } from '../wire/error-words.js';
import type { SdkError } from '../wire/failure.js';
import { asObject, countAt, listAt, objectAt, textAt } from './wire-value.js';

/** An error of Google's that came inside a reply whose HTTP status was fine. */
export class GoogleErrorInReply extends Error {
  constructor(readonly body: JsonValue) {
    super('the provider reported an error inside its reply');
  }
}

/**
 * What an error comes to, null where it is none of Google's words. `refusal` is the response whose HTTP status is no
 * success, or null: the SDK's errors carry its body, as JSON wherever the SDK could make it so, and not its headers.
 */
export function readGoogleError(error: unknown, refusal: Response | null): SdkError | null {
  if (error instanceof GoogleErrorInReply) {
    const words = errorWords(error.body);
    return {
      type: 'understood',
      code: codeOfError(words, null),
      message: `in the reply: ${words.message || words.label || 'an error without words'}`,
      status: null,
      retryAfterMs: retryDelayMs(words),
    };
  }
  if (refusal === null || !(error instanceof Error)) return null;
  const { status, headers } = refusal;
  const body = parseJson(error.message);
  const words = errorWords(body.ok ? body.value : null);
  return {
    type: 'understood',
    code: codeOfError(words, status),
    message: `HTTP ${status}: ${words.message || error.message}`,
    status,
    retryAfterMs: retryAfterMs(headers, Date.now()) ?? retryDelayMs(words),
  };
}

/** What Google says of an error (google.rpc.Status and its details, AIP-193). */
interface ErrorWords {
  /** The canonical code, for example `RESOURCE_EXHAUSTED`; empty where there is none. */
  readonly label: string;
  readonly message: string;
  /** The HTTP status within the body, or null. */
  readonly status: number | null;
  /** `ErrorInfo.reason`, for example `API_KEY_INVALID`. */
  readonly reasons: readonly string[];
  /** `QuotaFailure`: the names of the quotas, each with its size where it is told. */
  readonly quotas: readonly { readonly id: string; readonly value: string }[];
  /** `RetryInfo.retryDelay` in seconds, for example `34.4`; null where there is none. */
  readonly retryDelay: string | null;
}

/** A proxy's error may hold Google's as text within its message, and that one again. */
const MOST_NESTED = 3;

/** The words of a body: `{error: {...}}`, the error itself, a list with one of them, or a message that holds them. */
function errorWords(body: JsonValue, depth = 0): ErrorWords {
  const first = Array.isArray(body) ? body[0] : body;
  const outer = asObject(first);
  const error = objectAt(outer, 'error') ?? outer;
  const message = textAt(error, 'message') || textAt(outer, 'error');
  const nested = depth < MOST_NESTED && message.trimStart().startsWith('{') ? parseJson(message) : null;
  if (nested?.ok) return errorWords(nested.value, depth + 1);
  const status = countAt(error, 'code');
  const details = listAt(error, 'details').map(asObject);
  const delays = details.map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(textAt(detail, 'retryDelay'))?.[1]);
  return {
    label: textAt(error, 'status') || textAt(error, 'code').toUpperCase(),
    message,
    status: status !== null && status >= 400 && status < 600 ? status : null,
    reasons: details.map((detail) => textAt(detail, 'reason')),
    quotas: details.flatMap(quotasOf),
    retryDelay: delays.find((delay) => delay !== undefined) ?? null,
  };
}

function quotasOf(detail: JsonObject | null): ErrorWords['quotas'] {
  return listAt(detail, 'violations').map((entry) => {
    const violation = asObject(entry);
    return { id: textAt(violation, 'quotaId'), value: textAt(violation, 'quotaValue') };
  });
}

/** The wait that the error's details ask for, in milliseconds, within the same bounds as that of a header. */
function retryDelayMs({ retryDelay }: ErrorWords): number | null {
  return retryAfterMs({ get: (name) => (name === 'retry-after' ? retryDelay : null) }, Date.now());
}

const OVERFLOW =
  /token count.{0,80}(exceeds|only supports)|exceeds the maximum number of tokens|(input|prompt|context).{0,20}too long/i;
const WRONG_KEY = /API key (not valid|expired|not found)/i;
const KEY_REASONS = /^(API_KEY_|ACCESS_TOKEN_|CREDENTIALS_MISSING)/;
const BILLING_REASONS = /^(BILLING_DISABLED|QUOTA_EXHAUSTED)$/;
const DEPLETED = /credits? (are|is) depleted|\blimit: 0\b/i;

/** What the error comes to. `status` is that of HTTP, null where the error came inside a reply. */
function codeOfError(words: ErrorWords, status: number | null): ModelFailureCode {
  const { message, reasons } = words;
  if (reasons.some((reason) => KEY_REASONS.test(reason)) || WRONG_KEY.test(message)) return 'unauthorized';
  if (isBill(words)) return 'billing';
  if (OVERFLOW.test(message) && status !== 429) return 'context_overflow';
  if (status !== null) return codeOfGoogleStatus(status);
  const { label, status: inner } = words;
  return CODES.get(label) ?? (inner === null ? 'unreadable' : codeOfGoogleStatus(inner));
}

/**
 * Google words every rate limit as a quota to be paid for. What tells them apart is the quota's name and size: one for
 * a day, or one of nothing, does not come back while a run waits.
 */
function isBill({ message, quotas, label, reasons }: ErrorWords): boolean {
  if (reasons.some((reason) => BILLING_REASONS.test(reason)) || DEPLETED.test(message)) return true;
  if (quotas.some(({ id, value }) => /PerDay|Daily/i.test(id) || value === '0')) return true;
  return /^(PERMISSION_DENIED|FAILED_PRECONDITION)$/.test(label) && /\bbilling\b/i.test(message);
}

/** 499: Google itself gave the call up. */
function codeOfGoogleStatus(status: number): ModelFailureCode {
  if (status === 504) return 'timeout';
  return status === 499 ? 'overloaded' : codeOfStatus(status);
}

/** Canonical codes of google.rpc.Code. */
const CODES: ReadonlyMap<string, ModelFailureCode> = new Map([
  ['RESOURCE_EXHAUSTED', 'rate_limited'],
  ['UNAVAILABLE', 'overloaded'],
  ['INTERNAL', 'overloaded'],
  ['UNKNOWN', 'overloaded'],
  ['ABORTED', 'overloaded'],
  ['CANCELLED', 'overloaded'],
  ['DEADLINE_EXCEEDED', 'timeout'],
  ['UNAUTHENTICATED', 'unauthorized'],
  ['PERMISSION_DENIED', 'unauthorized'],
  ['INVALID_ARGUMENT', 'bad_request'],
  ['FAILED_PRECONDITION', 'bad_request'],
  ['OUT_OF_RANGE', 'bad_request'],
  ['NOT_FOUND', 'bad_request'],
  ['UNIMPLEMENTED', 'bad_request'],
]);
