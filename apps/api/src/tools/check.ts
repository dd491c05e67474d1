import type { FactsOutcome, ToolDefinition } from '@countersign/agent-core';
import { memberOf, memberText, objectOf } from './answer.js';
import type { SendSigned } from './signed-call.js';

/** A question is a read: this long for each attempt, and asked again this often. */
const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/**
 * Asks a tool's `check` for the facts behind a call: `{ok: boolean, facts, message}`. `facts` may be any JSON, `message`
 * is a string (it may be missing where all is well). Any other answer, or none, is `unavailable`.
 */
export async function askCheck(
  { check, timeoutMs }: ToolDefinition,
  send: SendSigned,
  signal: AbortSignal,
): Promise<FactsOutcome> {
  if (check === null) return unavailable('The tool has no check.');
  const question = {
    url: check.url,
    purpose: 'check',
    effect: 'read',
    timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
    retries: RETRIES,
  } as const;
  const ending = await send(question, signal);
  if (ending.type === 'not_prepared') return unavailable('The credentials of the tool could not be read.');
  const { meaning, result } = ending;
  if (result.type === 'error') return unavailable(result.error.message);
  if (meaning !== 'ran') return unavailable(`The check answered ${result.status}.`);
  return factsOf(result.body);
}

function factsOf(body: Uint8Array): FactsOutcome {
  const answer = objectOf(body);
  const ok = memberOf(answer, 'ok');
  const message = memberOf(answer, 'message') ?? null;
  const facts = memberText(memberOf(answer, 'facts') ?? null);
  if (ok === true && (message === null || typeof message === 'string')) return { type: 'ok', facts, message };
  if (ok === false && typeof message === 'string') return { type: 'changed', facts, message };
  return unavailable('The check gave an answer that is not {ok, facts, message}.');
}

function unavailable(detail: string): FactsOutcome {
  return { type: 'unavailable', detail };
}
