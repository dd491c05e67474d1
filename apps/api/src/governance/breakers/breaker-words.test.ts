import type { JsonText, ModelFailure, ModelFailureCode, ToolOutcome } from '@countersign/agent-core';
import { healthOfProvider, healthOfTool } from './breaker-words.js';

const failed = (code: string, infrastructure: boolean): ToolOutcome => ({
  type: 'failed',
  code,
  detail: '',
  infrastructure,
  attempts: 1,
});
const unknown = (infrastructure: boolean): ToolOutcome => ({
  type: 'unknown',
  detail: '',
  infrastructure,
  attempts: 1,
});

test.each<[string, ToolOutcome, string]>([
  ['a result', { type: 'succeeded', output: '1' as JsonText, attempts: 1 }, 'answered'],
  ['a time-out', failed('tool_timeout', true), 'failed'],
  ['a 503', failed('tool_unavailable', true), 'failed'],
  ['no connection', failed('tool_unreachable', true), 'failed'],
  ['what a time-out leaves in doubt', unknown(true), 'failed'],
  ['what a 409 leaves in doubt', unknown(false), 'answered'],
  ['a 404', failed('tool_refused', false), 'answered'],
  ['a 401', failed('unauthorized', false), 'answered'],
  ['a refusal of our guard', failed('egress_refused', false), 'undecided'],
  ['secrets that we could not read', failed('tool_credentials_unreadable', true), 'undecided'],
  ['a call given up before it was sent', failed('aborted', false), 'undecided'],
])('%s of a tool: %s', (_what, outcome, health) => {
  expect(healthOfTool(outcome).type).toBe(health);
});

const failure = (code: ModelFailureCode, neverSent = false): ModelFailure => ({
  code,
  message: '',
  status: null,
  neverSent,
  retryAfterMs: 7,
  usage: null,
});

test.each<[ModelFailureCode, string]>([
  ['rate_limited', 'failed'],
  ['overloaded', 'failed'],
  ['timeout', 'failed'],
  ['unreadable', 'failed'],
  ['unauthorized', 'answered'],
  ['billing', 'answered'],
  ['bad_request', 'answered'],
  ['context_overflow', 'answered'],
  ['refused', 'answered'],
  ['aborted', 'undecided'],
])('%s of a provider: it has %s', (code, health) => {
  expect(healthOfProvider(failure(code)).type).toBe(health);
});

test('a provider that nothing was sent to has not answered; one that cannot be reached has failed', () => {
  expect(healthOfProvider(failure('bad_request', true)).type).toBe('undecided');
  expect(healthOfProvider(failure('overloaded', true))).toEqual({
    type: 'failed',
    code: 'overloaded',
    retryAfterMs: 7,
  });
  expect(healthOfProvider(null).type).toBe('answered');
});
