import type { JsonText } from '../shared/brand.js';
import type { CallResult } from './tool-call.js';

/**
 * The words in which a model learns what became of its call. An error says what failed, whether the same call can
 * succeed, and what to do instead; nothing in here carries a stack, a path, SQL or a secret.
 */
export const resultText = {
  unknownTool: (tool: string, known: readonly string[]): string =>
    `There is no tool named "${tool}". The tools are: ${known.length > 0 ? known.join(', ') : 'none'}.`,
  withdrawn: (tool: string): string => `The tool "${tool}" was withdrawn. Do not call it again.`,
  disabled: (tool: string, failures: number): string =>
    `"${tool}" failed ${failures} times in a row, so it is closed for the rest of this run. Nothing was run. Go on with the other tools, or say what is missing.`,
  nowDisabled: (tool: string, failures: number): string =>
    `"${tool}" has now failed ${failures} times in a row and is closed for the rest of this run. Do not call it again: go on with the other tools, or say what is missing.`,
  breakerOpen: (tool: string): string =>
    `"${tool}" kept failing, so it is not called for the time being. Nothing was run. Do not call it again now: go on with the other tools, or say what is missing.`,
  invalidArguments: (detail: string): string =>
    `The arguments are not valid: ${detail}. Nothing was run. Correct them and call again.`,
  outOfScope: (detail: string): string =>
    `Not allowed for this subject: ${detail}. Nothing was run. The same call will be denied again.`,
  deniedByPolicy: (reason: string): string =>
    `Denied by policy: ${reason}. Nothing was run. The same call will be denied again.`,
  rejected: (message: string | null): string =>
    `A person rejected this call${hasWords(message) ? `: ${message}${endOf(message)}` : '.'} Nothing was run. Do not ask for the same again.`,
  alreadyRejected:
    'A person has already rejected this in this run. Nothing was run and nobody was asked again.',
  toolRejected: (tool: string): string =>
    `People rejected "${tool}" three times in this run, so it is closed for the rest of the run. Nothing was run.`,
  expired: 'Nobody decided on this call in time, so it was not run.',
  alreadyDone: 'This was already done with other arguments, and is not done a second time. Nothing was run.',
  intentUnknown:
    'An earlier call with the same intent has an unknown outcome, so this one was not run. Check the state of things before anything else.',
  factsChanged: (message: string): string =>
    `The facts changed since the call was proposed: ${message}${endOf(message)} Nothing was run.`,
  checkUnavailable: 'The facts could not be checked before the call, so it was not run.',
  cancelled: 'The run was ended before this call was run. Nothing was run.',
  cutOff: 'The reply that held this call was not complete, so the call was not run.',
  tooManyCalls: 'The run has no tool calls left, so this call was not run.',
  unknown: (detail: string): string =>
    `The call was sent, and its outcome is unknown: ${detail}${endOf(detail)} It may have happened. Do not repeat it.`,
  unanswered: 'The call was sent, and nobody could say whether it happened.',
  didNotHappen: 'The call was sent and did not happen. Nothing was done.',
  lost: 'The worker was lost again and again while this call ran, so it was given up.',
  empty: 'The tool ran and returned nothing.',
  edited: (argumentsText: string, output: string): string =>
    `A person changed the arguments before approving. What ran: ${argumentsText}. Its result: ${output}`,
} as const;

function hasWords(message: string | null): message is string {
  return message !== null && message.trim() !== '';
}

function endOf(sentence: string): string {
  return /[.!?]$/.test(sentence) ? '' : '.';
}

export function errorResult(text: string): CallResult {
  return { text, isError: true };
}

/** What stands for the output of a call that gave none. */
export const NO_OUTPUT = 'null' as JsonText;

/** A result is never empty: some providers refuse an empty block. */
export function successResult(text: string): CallResult {
  return { text: text.trim() === '' ? resultText.empty : text, isError: false };
}
