import {
  DEFAULT_RUN_LIMITS,
  type Digest,
  type JsonText,
  type RunEvent,
  type StoredEvent,
  type Waits,
} from '@countersign/agent-core';
import { type OpenModelCall, traceOf } from './trace.js';

const CALL = 'tcl_1';
const BOUND = { arguments: '{}' as JsonText, argumentsDigest: 'sha256:arguments' as Digest };
const CHECKS = {
  registered: 'passed',
  arguments: 'passed',
  scope: 'passed',
  policy: 'passed',
  credential: 'not_reached',
} as const;

const CREATED: RunEvent = {
  type: 'run.queued',
  reason: 'created',
  startedBy: { type: 'key', id: 'key_0' },
  agent: { name: 'support', version: 1 },
  toolVersions: { refund: 1 },
  operationId: 'op-1',
  thread: null,
  subject: null,
  input: [{ role: 'user', content: 'Hello' }],
  limits: DEFAULT_RUN_LIMITS,
  budgetLimitUsd: null,
};
const STARTED: RunEvent = { type: 'run.started', worker: 'w', waitedMs: 0 };
const RESUMED: RunEvent = { type: 'run.resumed', worker: 'w', waitedMs: 0 };
const TIMER: RunEvent = { type: 'run.queued', reason: 'timer' };
const REPLIED: RunEvent = {
  type: 'model.responded',
  modelCallId: 'mdl_1',
  choice: 0,
  provider: 'scripted',
  api: 'chat',
  model: 'small',
  requestDigest: 'sha256:request' as Digest,
  revision: { adapter: 'a', sdk: 's' },
  priceVersion: 'p',
  usage: null,
  estimated: true,
  costUsd: '0.000001',
  wasteUsd: '0.000000',
  startedAt: 2,
  turn: 1,
  responseId: null,
  text: '',
  refusal: null,
  finish: { unified: 'tool_calls', raw: 'tool_calls' },
  raw: [],
  calls: [{ toolCallId: CALL, callId: 'c', providerCallId: null, tool: 'refund', arguments: '{}' }],
};
const PERMITTED: RunEvent = {
  type: 'tool.permitted',
  toolCallId: CALL,
  checks: CHECKS,
  policyVersion: 0,
  policyRule: 'default',
  ...BOUND,
};
const ASKED: RunEvent = {
  type: 'approval.requested',
  toolCallId: CALL,
  checks: CHECKS,
  approvalId: 'apr_1',
  ...BOUND,
  reason: 'why',
  policyRule: 'default',
  policyVersion: 0,
  requiredApprovals: 1,
  approverRoles: [],
  requestedAt: 3,
  expiresAt: 1_000,
  onExpiry: 'reject',
};
const BEGUN: RunEvent = {
  type: 'tool.started',
  toolCallId: CALL,
  idempotencyKey: 'eff_1',
  intentKey: 'int_1',
  approvalId: null,
};
const approved = (notBefore: number): RunEvent => ({
  type: 'approval.decided',
  approvalId: 'apr_1',
  toolCallId: CALL,
  by: { type: 'key', id: 'key_1' },
  decision: 'approve',
  message: null,
  edited: null,
  notBefore,
});
const waiting = (waits: Partial<Waits> = {}): RunEvent => ({
  type: 'run.waiting',
  approvals: [],
  toolResults: [],
  outcomes: [],
  until: null,
  why: null,
  ...waits,
});

/** [kind, name, status, start, end] of every span of a run whose n-th event happened at n milliseconds, or as told. */
function spansOf(events: readonly (RunEvent | readonly [RunEvent, number])[], underWay?: OpenModelCall) {
  const stored = events.map((each, index): StoredEvent => {
    const [event, at] = 'type' in each ? [each, index] : each;
    return { seq: index + 1, at, event };
  });
  const spans = traceOf({ id: 'run_1', tenant: 'ten_1' }, stored, underWay ?? null);
  expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
  const at = (time: string | null) => (time === null ? null : Date.parse(time));
  return spans.map(({ kind, name, status, startedAt, finishedAt }) => {
    return [kind, name, status, at(startedAt), at(finishedAt)];
  });
}

const BEGIN = [CREATED, STARTED, REPLIED];
const BEGIN_SPANS = [
  ['queue_wait', 'queue', 'ended', 0, 1],
  ['model_call', 'small', 'tool_calls', 2, 2],
];

describe('the trace of a run', () => {
  test('an approval that may be undone waits until that time is over, whenever a worker notices', () => {
    const events = [...BEGIN, ASKED, waiting({ approvals: ['apr_1'] })];
    expect(spansOf([...events, [approved(10), 5], [TIMER, 12], [RESUMED, 14], [BEGUN, 15]])).toEqual([
      ...BEGIN_SPANS,
      ['approval_wait', 'refund', 'approved', 3, 5],
      ['undo_wait', 'refund', 'started', 5, 10],
      ['queue_wait', 'queue', 'ended', 12, 14],
      ['tool_call', 'refund', 'open', 15, null],
    ]);
  });

  test('an approval that was undone is waited for again', () => {
    const reopened: RunEvent = {
      type: 'approval.reopened',
      approvalId: 'apr_1',
      toolCallId: CALL,
      by: { type: 'key', id: 'key_1' },
    };
    expect(spansOf([...BEGIN, ASKED, waiting({ approvals: ['apr_1'] }), approved(100), reopened])).toEqual([
      ...BEGIN_SPANS,
      ['approval_wait', 'refund', 'approved', 3, 5],
      ['undo_wait', 'refund', 'reopened', 5, 6],
      ['approval_wait', 'refund', 'open', 6, null],
    ]);
  });

  test('a call whose intent another one holds waits through each look at it', () => {
    const held = (until: number): RunEvent => ({ type: 'tool.held', toolCallId: CALL, until });
    const hold = waiting({ until: 6, why: 'intent_held' });
    expect(
      spansOf([...BEGIN, held(6), hold, TIMER, RESUMED, held(12), hold, TIMER, RESUMED, PERMITTED]),
    ).toEqual([
      ...BEGIN_SPANS,
      ['hold_wait', 'refund', 'permitted', 3, 11],
      ['queue_wait', 'queue', 'ended', 5, 6],
      ['queue_wait', 'queue', 'ended', 9, 10],
    ]);
  });

  test('an unknown outcome waits for a person, and a second try is another span', () => {
    const unknown: RunEvent = {
      type: 'tool.unknown',
      toolCallId: CALL,
      message: 'no answer',
      onUnknown: 'ask',
      askUntil: 100,
      attempts: 1,
    };
    const settled: RunEvent = {
      type: 'tool.settled',
      toolCallId: CALL,
      outcome: 'did_not_happen',
      by: { type: 'key', id: 'key_1' },
      output: null,
      text: '',
      binding: 'sha256:binding' as Digest,
    };
    const waits = waiting({ outcomes: [CALL] });
    expect(spansOf([...BEGIN, PERMITTED, BEGUN, unknown, waits, settled, RESUMED, BEGUN])).toEqual([
      ...BEGIN_SPANS,
      ['tool_call', 'refund', 'unknown', 4, 5],
      ['outcome_wait', 'refund', 'did_not_happen', 5, 7],
      ['queue_wait', 'queue', 'ended', 7, 8],
      ['tool_call', 'refund', 'open', 9, null],
    ]);
  });

  test('a call that the app carries out waits for its result', () => {
    const given: RunEvent = { type: 'tool.awaiting_client', toolCallId: CALL, until: 100 };
    const cancelled: RunEvent = { type: 'tool.cancelled', toolCallId: CALL, message: 'ended' };
    expect(spansOf([...BEGIN, PERMITTED, given, waiting({ toolResults: [CALL] }), cancelled])).toEqual([
      ...BEGIN_SPANS,
      ['client_wait', 'refund', 'cancelled', 4, 6],
    ]);
  });

  test.each(['budget_reserved', 'provider_unavailable'] as const)(
    'waiting for %s is a wait of its own',
    (why) => {
      expect(spansOf([CREATED, STARTED, waiting({ until: 5, why }), TIMER])).toEqual([
        ['queue_wait', 'queue', 'ended', 0, 1],
        ['timer_wait', why, 'ended', 2, 3],
        ['queue_wait', 'queue', 'open', 3, null],
      ]);
    },
  );

  test('a model call under way is there before it ends, and once', () => {
    const open = { modelCallId: 'mdl_1', model: 'small', startedAt: 2 };
    expect(spansOf([CREATED, STARTED], open)).toEqual([
      ['queue_wait', 'queue', 'ended', 0, 1],
      ['model_call', 'small', 'open', 2, null],
    ]);
    expect(spansOf(BEGIN, open)).toEqual(BEGIN_SPANS);
  });
});
