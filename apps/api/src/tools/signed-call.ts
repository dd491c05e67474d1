import { randomUUID } from 'node:crypto';
import type { EffectClass, ToolInvocation } from '@countersign/agent-core';
import { DatabaseError } from '../platform/database-error.js';
import { classify, type Ending, type Meaning } from './classify.js';
import type { EgressGuard } from './egress.js';
import { EgressError } from './egress-connector.js';
import type { RequestResult } from './guarded-request.js';
import { backoffMs, LONGEST_RETRY_AFTER_MS, parseRetryAfter, pause } from './retry.js';
import { signedHeaders } from './signing.js';
import { type FindToolSecrets, openHeaders, openSigningSecret } from './tool-secrets.js';

/** What is read of a tool's answer, in bytes. */
export const ANSWER_MAX_BYTES = 1024 * 1024;

/** What a signed call needs from the rest of the process. */
export interface SignedCallParts {
  readonly guard: EgressGuard;
  readonly findSecrets: FindToolSecrets;
  /** COUNTERSIGN_SECRET. */
  readonly secret: string;
  /** Milliseconds since the epoch, for signatures and dates in Retry-After. */
  readonly now: () => number;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
  /** Where errors of ours go that neither the model nor the tenant may read. */
  readonly onError: (error: unknown) => void;
}

/** One call of a tool's url: `execute` performs the effect, `check` and `reconcile` only ask. */
export interface SignedCall {
  readonly url: string;
  readonly purpose: 'execute' | 'check' | 'reconcile';
  readonly effect: EffectClass;
  /** For each attempt. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
}

/** How a call ended: the last attempt's result and what it means. `retry` means: out of attempts, it did not run. */
export type CallEnding =
  | {
      readonly type: 'ended';
      readonly meaning: Meaning;
      readonly result: RequestResult;
      readonly attempts: number;
    }
  /** The credentials could not be read: nothing was sent. */
  | { readonly type: 'not_prepared' };

/** The body of a call (CONTRACT, An http call). Arguments and subject go in as their text, so that no digit changes. */
function callBody(invocation: ToolInvocation): string {
  const { tenant, runId, operationId, subject, call } = invocation;
  const identity = JSON.stringify({ tenant, runId, toolCallId: call.id, operationId }).slice(0, -1);
  const tool = JSON.stringify(invocation.definition.name);
  return `{"tool":${tool},"arguments":${invocation.arguments},"context":${identity},"subject":${subject ?? 'null'}}}`;
}

/** Sends what was prepared, with the repeats that its class of effect permits, always with the same key. Never throws. */
export type SendSigned = (call: SignedCall, signal: AbortSignal) => Promise<CallEnding>;

/**
 * Looks up and opens what signs the calls of this invocation. Sending needs nothing more of the database.
 * @throws DatabaseError whatever its trouble is: it is ours, not the tool's, and nothing was intended or sent.
 */
export async function prepareSigned(parts: SignedCallParts, invocation: ToolInvocation): Promise<SendSigned> {
  const credentials = await openCredentials(parts, invocation);
  return credentials === 'unreadable'
    ? async () => ({ type: 'not_prepared' })
    : (call, signal) => sendSigned(parts, credentials, invocation, call, signal);
}

async function sendSigned(
  parts: SignedCallParts,
  credentials: Credentials,
  invocation: ToolInvocation,
  call: SignedCall,
  signal: AbortSignal,
): Promise<CallEnding> {
  const body = callBody(invocation);
  const messageId = messageIdOf(invocation, call);
  const own = credentials.home === new URL(call.url).origin ? credentials.headers : {};
  for (let attempts = 1; ; attempts += 1) {
    const headers = {
      ...own,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'idempotency-key': invocation.idempotencyKey,
      ...signedHeaders(credentials.signingSecret, messageId, parts.now(), body),
    };
    const { timeoutMs } = call;
    const request = {
      url: new URL(call.url),
      headers,
      body,
      timeoutMs,
      maxBytes: ANSWER_MAX_BYTES,
      fresh: call.effect === 'once',
    };
    const result = await parts.guard.request(invocation.tenant, request, signal);
    const retryAfterMs = retryAfterOf(result, parts.now());
    const meaning = classify(call.effect, endingOf(result, retryAfterMs));
    const ended = { type: 'ended', meaning, result, attempts } as const;
    if (meaning !== 'retry' || attempts > call.retries || (retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS)
      return ended;
    if (!(await pause(backoffMs(attempts, retryAfterMs, parts.random), signal))) return stopped(attempts);
  }
}

/** Stopped before an attempt: it was never sent, and what came before it was no answer. */
function stopped(attempts: number): CallEnding {
  const error = new EgressError('aborted', true, 'The call was stopped before it was sent.');
  return { type: 'ended', meaning: 'failed', result: { type: 'error', error }, attempts };
}

interface Credentials {
  readonly signingSecret: string;
  /** The tool's own headers go to the origin of its url alone, whatever `check` and `reconcile` name. */
  readonly headers: Readonly<Record<string, string>>;
  /** That origin; null where the tool has no url. */
  readonly home: string | null;
}

async function openCredentials(
  parts: SignedCallParts,
  { tenant, definition }: ToolInvocation,
): Promise<Credentials | 'unreadable'> {
  try {
    const sealed = await parts.findSecrets(tenant, definition.name, definition.version);
    if (sealed === null) return 'unreadable';
    const signingSecret = openSigningSecret(
      sealed.signingSecretSealed,
      parts.secret,
      tenant,
      definition.name,
    );
    const url = definition.executor.type === 'http' ? definition.executor.url : null;
    const home = url === null ? null : new URL(url).origin;
    if (sealed.headersSealed === null || url === null) return { signingSecret, headers: {}, home };
    const headers = openHeaders(sealed.headersSealed, parts.secret, tenant, definition.name, url);
    return { signingSecret, headers: lowerCased(headers), home };
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    parts.onError(error);
    return 'unreadable';
  }
}

/** One spelling, so that a header of the call replaces a tool's own and is never sent beside it. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/**
 * Standard Webhooks: a repeated message keeps its id. An execution is one message however often it is sent; each
 * question is a message of its own, or a receiver that remembers ids would drop the second.
 */
function messageIdOf(invocation: ToolInvocation, call: SignedCall): string {
  const { idempotencyKey } = invocation;
  return call.purpose === 'execute' ? idempotencyKey : `${idempotencyKey}_${call.purpose}_${randomUUID()}`;
}

function retryAfterOf(result: RequestResult, now: number): number | null {
  return result.type === 'response' ? parseRetryAfter(result.headers['retry-after'] ?? null, now) : null;
}

function endingOf(result: RequestResult, retryAfterMs: number | null): Ending {
  if (result.type === 'error') {
    return { type: 'error', kind: result.error.kind, neverSent: result.error.neverSent };
  }
  const { status, complete } = result;
  return { type: 'response', status, complete, retryAfter: retryAfterMs !== null };
}
