import type { EffectClass, ToolDefinition, ToolOutcome } from '@countersign/agent-core';
import { outputOf, problemDetailOf } from './answer.js';
import type { NetworkFailure } from './classify.js';
import type { RequestResult } from './guarded-request.js';
import type { CallEnding, SendSigned } from './signed-call.js';

/** Repeats of a `once` that the tool itself said it did not run (425, 429, 503 with Retry-After). */
const RETRIES_OF_ONCE = 2;

/**
 * Performs a tool over HTTP at its url (CONTRACT, An http call). Never throws: whatever happens is an outcome. An abort
 * of `signal` ends it early: what was not sent yet has failed, and a `once` that was in flight is unknown.
 */
export async function executeHttp(
  url: string,
  { effect, timeoutMs, retries }: ToolDefinition,
  send: SendSigned,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const call = {
    url,
    purpose: 'execute',
    effect,
    timeoutMs,
    retries: effect === 'once' ? RETRIES_OF_ONCE : retries,
  } as const;
  return outcomeOf(effect, await send(call, signal));
}

/** The outcome of a call that has ended. Its words name no address, header or stack: a model may read them. */
function outcomeOf(effect: EffectClass, ending: CallEnding): ToolOutcome {
  if (ending.type === 'not_prepared') {
    const detail = 'Nothing ran: the credentials of the tool could not be read.';
    return { type: 'failed', code: 'tool_credentials_unreadable', detail, infrastructure: true, attempts: 0 };
  }
  const { meaning, result, attempts } = ending;
  if (meaning === 'ran' && result.type === 'response') {
    return { type: 'succeeded', output: outputOf(result.body, result.cut), attempts };
  }
  const { code, infrastructure } = failureOf(result);
  if (meaning === 'unknown')
    return { type: 'unknown', detail: whatHappened(result), infrastructure, attempts };
  return { type: 'failed', code, infrastructure, detail: failureText(effect, result, attempts), attempts };
}

function failureOf(result: RequestResult): { code: string; infrastructure: boolean } {
  if (result.type === 'error') return FAILURES[result.error.kind];
  const { status } = result;
  if (status >= 200 && status <= 299) return FAILURES.broken;
  // The word by which the call's record shows that its credential stopped it.
  if (status === 401 || status === 403 || status === 407) {
    return { code: 'unauthorized', infrastructure: false };
  }
  if (status < 400) return { code: 'tool_redirected', infrastructure: false };
  // Like the schema's own refusals, these do not speak against the tool: the model may correct itself.
  if (status === 422) return { code: 'arguments_refused', infrastructure: false };
  const unavailable = status === 408 || status === 425 || status === 429 || status >= 500;
  return unavailable
    ? { code: 'tool_unavailable', infrastructure: true }
    : { code: 'tool_refused', infrastructure: false };
}

const UNREACHABLE = { code: 'tool_unreachable', infrastructure: true };
const FAILURES: Readonly<Record<NetworkFailure, { code: string; infrastructure: boolean }>> = {
  refused: { code: 'egress_refused', infrastructure: false },
  dns: UNREACHABLE,
  connect: UNREACHABLE,
  tls: UNREACHABLE,
  timeout: { code: 'tool_timeout', infrastructure: true },
  broken: { code: 'tool_broken_off', infrastructure: true },
  aborted: { code: 'aborted', infrastructure: false },
};

/**
 * What is known of the last attempt. The tool's own words are passed on where the call was at fault (4xx); what a server
 * says of its own trouble may name its hosts and its secrets.
 */
function whatHappened(result: RequestResult): string {
  if (result.type === 'error') return result.error.message;
  if (result.status >= 200 && result.status <= 299) return 'The answer broke off before its end.';
  const detail = result.status < 500 ? problemDetailOf(result.body) : null;
  return `The tool answered ${result.status}${detail === null ? '.' : `: ${detail}`}`;
}

/** A repeatable call that was sent and never answered may have had its effect: the words must not deny it. */
function failureText(effect: EffectClass, result: RequestResult, attempts: number): string {
  const happened = whatHappened(result);
  const tried = attempts > 1 ? ` It was tried ${attempts} times.` : '';
  if (result.type === 'error' && result.error.neverSent) return `${happened}${tried} Nothing ran.`;
  const inDoubt = result.type === 'error' || (result.status >= 200 && result.status <= 299);
  if (effect === 'idempotent' && inDoubt) return `${happened}${tried} It may or may not have taken effect.`;
  return `${happened}${tried}`;
}
