import type { Reconciliation, ToolDefinition } from '@countersign/agent-core';
import { memberOf, memberText, objectOf } from './answer.js';
import type { SendSigned } from './signed-call.js';

/** A question is a read: this long for each attempt, and asked again this often. */
const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/**
 * Asks a tool's `reconcile` what became of a call whose outcome is unknown: `{outcome: 'happened', output}`,
 * `{outcome: 'did_not_happen'}` or `{outcome: 'unknown'}`. A missing output counts as null. Any other answer, or none,
 * is `unknown`: only the plain word frees another try.
 */
export async function askReconcile(
  { reconcile, timeoutMs }: ToolDefinition,
  send: SendSigned,
  signal: AbortSignal,
): Promise<Reconciliation> {
  if (reconcile === null) return unknown('The tool cannot be asked.');
  const question = {
    url: reconcile.url,
    purpose: 'reconcile',
    effect: 'read',
    timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
    retries: RETRIES,
  } as const;
  const ending = await send(question, signal);
  if (ending.type === 'not_prepared') return unknown('The credentials of the tool could not be read.');
  const { meaning, result } = ending;
  if (result.type === 'error') return unknown(`The tool was asked. ${result.error.message}`);
  if (meaning !== 'ran') return unknown(`The tool was asked and answered ${result.status}.`);
  return reconciliationOf(result.body);
}

function reconciliationOf(body: Uint8Array): Reconciliation {
  const answer = objectOf(body);
  switch (memberOf(answer, 'outcome')) {
    case 'happened':
      return { type: 'happened', output: memberText(memberOf(answer, 'output') ?? null) };
    case 'did_not_happen':
      return { type: 'did_not_happen' };
    case 'unknown':
      return unknown('The tool itself does not know.');
    default:
      return unknown('The tool was asked and gave an answer that cannot be read.');
  }
}

function unknown(detail: string): Reconciliation {
  return { type: 'unknown', detail };
}
