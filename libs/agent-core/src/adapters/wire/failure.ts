import type { ModelFailure, ModelFailureCode, Usage } from '../../model/model-event.js';
import { type ReadableHeaders, retryAfterMs } from '../../model/retry-after.js';
import { cutText } from '../../shared/text.js';
import { codeOfLabels, codeOfStatus, codeOfWords, type ErrorWords, errorWords } from './error-words.js';
import { LONGEST_SILENCE_MS } from './limits.js';
import { ErrorInReply, UnusableReply } from './reply-error.js';
import { transportFailure } from './transport-failure.js';

/** What an SDK's error says, in words that all of them share. */
export type SdkError =
  | { readonly type: 'aborted' }
  /** An HTTP status that is none of success, with the body as far as the SDK could read it. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly body: unknown;
      readonly message: string;
      readonly headers: ReadableHeaders | null;
    }
  /** The status was fine; the error came in the body or in the stream. */
  | { readonly type: 'in_reply'; readonly body: unknown }
  /** The adapter knows its provider's words better than we could here. */
  | ({ readonly type: 'understood' } & Omit<ModelFailure, 'usage' | 'neverSent'>);

/** What is known of an attempt beside the error that ended it. */
export interface AttemptFacts {
  /** Says what an error of the adapter's SDK means; null where it is none, or no more than a broken connection. */
  readonly readSdkError: (error: unknown) => SdkError | null;
  /** Taken out of every message. */
  readonly apiKey: string;
  /** Whether the caller gave the attempt up. */
  readonly wasAborted: boolean;
  /** Whether the attempt was given up because nothing was heard for too long. */
  readonly wasSilent: boolean;
  /** Whether `fetch` was called at all. */
  readonly wasTried: boolean;
  /** What `fetch` itself threw, or null: an SDK does not always pass it on. */
  readonly transportError: unknown;
  readonly usage: Usage | null;
  /** The local time, in milliseconds since the epoch. */
  readonly now: number;
}

const LONGEST_MESSAGE = 500;

/** What an attempt came to, in our words: the provider's own stay within the message (invariant I9). */
export function failureOf(error: unknown, facts: AttemptFacts): ModelFailure {
  const found = describe(error, facts);
  return { ...found, message: withoutSecrets(found.message, facts.apiKey), usage: facts.usage };
}

type Described = Omit<ModelFailure, 'usage'>;

function describe(error: unknown, facts: AttemptFacts): Described {
  const plain = { status: null, neverSent: !facts.wasTried, retryAfterMs: null };
  const known = facts.readSdkError(error);
  if (facts.wasSilent && !facts.wasAborted) {
    return { ...plain, code: 'timeout', message: `nothing was heard for ${LONGEST_SILENCE_MS / 1000} s` };
  }
  if (facts.wasAborted || known?.type === 'aborted') {
    return { ...plain, code: 'aborted', message: 'the call was given up' };
  }
  if (known?.type === 'understood') {
    const { code, message, status, retryAfterMs } = known;
    return { code, message, status, neverSent: false, retryAfterMs };
  }
  if (error instanceof UnusableReply) return { ...plain, code: 'unreadable', message: error.message };
  if (error instanceof ErrorInReply) return errorInReply(error.body);
  if (known?.type === 'in_reply') return errorInReply(known.body);
  if (known?.type === 'refused') return refusedByStatus(known, facts);
  // Nothing was sent: the request could not even be made (a broken URL, a key that is no header).
  if (!facts.wasTried) return { ...plain, code: 'bad_request', message: messageOf(error) };
  const { code, neverSent, word } = transportFailure(facts.transportError ?? error);
  const message = word === '' ? messageOf(error) : `${messageOf(error)} (${word})`;
  return { ...plain, code, neverSent, message };
}

function refusedByStatus(error: Extract<SdkError, { type: 'refused' }>, facts: AttemptFacts): Described {
  const { status, headers } = error;
  const words = errorWords(error.body);
  return {
    code: codeOfWords(words, status) ?? codeOfStatus(status),
    message: `HTTP ${status}: ${words.message || error.message}`,
    status,
    neverSent: false,
    retryAfterMs: headers === null ? null : retryAfterMs(headers, facts.now),
  };
}

/** The status was fine, so what was sent may cost something: no status is reported. */
function errorInReply(body: unknown): Described {
  const words: ErrorWords = errorWords(body);
  const code: ModelFailureCode = codeOfWords(words, words.status) ?? codeOfLabels(words);
  const message = words.message || words.labels.find((label) => label !== '') || 'an error without words';
  return { code, message: `in the reply: ${message}`, status: null, neverSent: false, retryAfterMs: null };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an error without words';
}

/** Providers repeat a wrong key in their message, in part or whole. */
function withoutSecrets(message: string, apiKey: string): string {
  const withoutKey = apiKey === '' ? message : message.replaceAll(apiKey, '[key]');
  return cutText(withoutKey.replace(/\b(sk-|AIza)[\w*.-]+/g, '[key]'), LONGEST_MESSAGE).text;
}
