import type { ModelFailureCode } from '../../model/model-event.js';
import { asObject, asText } from './wire-value.js';

/** What a provider says of an error, whatever shape its body has. */
export interface ErrorWords {
  /** `code`, `type` and `status` of the body, in lower case. */
  readonly labels: readonly string[];
  readonly message: string;
  /** A `code` that is an HTTP status (OpenRouter, vLLM, Google). */
  readonly status: number | null;
}

const BILLING_LABELS = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_balance',
  'billing_error',
  'access_terminated',
]);
const BILLING_MESSAGE =
  /exceeded your current quota|insufficient (balance|credits?|quota|funds)|not enough credits|credit balance is too low|reached your specified (api )?usage limits/i;
const OVERFLOW_LABELS = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'string_above_max_length',
  'request_too_large',
]);
const OVERFLOW_MESSAGE =
  /maximum context length|context (length|window|size).{0,40}exceed|exceeds?.{0,40}context (length|window|size)|prompt is too long|input is too long|exceeds? context limit/i;

const FILTER_LABELS = new Set(['content_filter', 'content_policy_violation', 'responsibleaipolicyviolation']);
/** Azure's, Anthropic's and OpenAI's words; the two latter come under labels that say no more than a bad request. */
const FILTER_MESSAGE =
  /content management policy|blocked by (our )?content filtering policy|flagged as potentially violating our usage policy/i;

/** The body of an error: `{error: {...}}`, `{error: "..."}`, a flat object, `{detail}`, or a list with one of them. */
export function errorWords(body: unknown): ErrorWords {
  const first = Array.isArray(body) ? body[0] : body;
  const outer = asObject(first);
  const inner = outer?.error ?? first;
  const error = asObject(inner) ?? {};
  const labels = [error.code, error.type, error.status].map((label) => asText(label).toLowerCase());
  const message = asText(inner) || asText(error.message) || asText(error.detail);
  const code = Number(error.code);
  return { labels, message, status: Number.isInteger(code) && code >= 400 && code < 600 ? code : null };
}

/** What the words alone say, before any status: a bill, a filter, or a conversation that is too long. */
export function codeOfWords(words: ErrorWords, status: number | null): ModelFailureCode | null {
  if (isBilling(words)) return 'billing';
  if (isFiltered(words)) return 'refused';
  if (words.labels.some((label) => OVERFLOW_LABELS.has(label))) return 'context_overflow';
  const mayOverflow = status === null || status === 400 || status === 413 || status === 422 || status >= 500;
  if (mayOverflow && OVERFLOW_MESSAGE.test(words.message)) return 'context_overflow';
  return asksMoreThanTheLimit(words.message) ? 'bad_request' : null;
}

/** Google words an ordinary rate limit as a quota, and marks it so. */
function isBilling(words: ErrorWords): boolean {
  if (words.labels.some((label) => BILLING_LABELS.has(label))) return true;
  return BILLING_MESSAGE.test(words.message) && !words.labels.includes('resource_exhausted');
}

function isFiltered({ labels, message }: ErrorWords): boolean {
  return labels.some((label) => FILTER_LABELS.has(label)) || FILTER_MESSAGE.test(message);
}

/** "Limit 30000, Requested 30601": a rate limit by its status, yet no waiting will ever make room for it. */
function asksMoreThanTheLimit(message: string): boolean {
  const found = /\bLimit:? (\d+)\b.{0,80}\bRequested:? (\d+)\b/is.exec(message);
  return found !== null && Number(found[2]) > Number(found[1]);
}

export function codeOfStatus(status: number): ModelFailureCode {
  if (status === 402) return 'billing';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate_limited';
  if (status === 409 || status === 425 || status >= 500) return 'overloaded';
  return 'bad_request';
}

/** An error within a reply has no status of its own: its words stand for one, else the reply was merely broken. */
export function codeOfLabels(words: ErrorWords): ModelFailureCode {
  if (words.status !== null) return codeOfStatus(words.status);
  const says = (pattern: RegExp) => words.labels.some((label) => pattern.test(label));
  if (says(/rate_limit|resource_exhausted/)) return 'rate_limited';
  if (says(/timeout_error/)) return 'timeout';
  if (says(/server_error|overloaded|unavailable|internal|api_error/)) return 'overloaded';
  if (says(/authentication|permission/)) return 'unauthorized';
  if (says(/invalid_request|invalid_prompt|bad_request|not_found/)) return 'bad_request';
  return 'unreadable';
}
