import {
  createRun,
  DEFAULT_RUN_LIMITS,
  type Digest,
  evolve,
  type JsonText,
  type Run,
  type RunEvent,
  type Step,
  type StoredEvent,
} from '@countersign/agent-core';
import { project, projectStart } from './projection.js';

const rowsOf = (change: Step) => project(change, new Map());

const CREATED: Extract<RunEvent, { reason: 'created' }> = {
  type: 'run.queued',
  reason: 'created',
  startedBy: { type: 'key', id: 'key_0' },
  agent: { name: 'support', version: 2 },
  toolVersions: { refund: 3 },
  operationId: 'op-1',
  thread: null,
  subject: '{"id":"customer-1"}' as JsonText,
  input: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Yes?' },
  ],
  limits: { ...DEFAULT_RUN_LIMITS, deadlineSeconds: 100 },
  budgetLimitUsd: '1.50',
};
const CREATION: StoredEvent = { seq: 1, at: 1_000, event: CREATED };
const created = createRun({ id: 'run_0', tenant: 'ten_0' }, CREATED, 1_000);
const running = evolve(created, {
  seq: 2,
  at: 2_000,
  event: { type: 'run.started', worker: 'w', waitedMs: 0 },
});

function step(before: Run, ...events: RunEvent[]): Step {
  const stored = events.map((event, index) => ({ seq: before.seq + index + 1, at: 3_000 + index, event }));
  const after = stored.reduce(evolve, before);
  return {
    events: stored,
    before,
    after,
    settle: null,
    reserve: null,
    intentions: [],
    governanceRevision: 7,
  };
}

const ATTEMPT = {
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
  startedAt: 2_500,
} as const;

function replied(...calls: { id: string; arguments?: string }[]): RunEvent {
  return {
    type: 'model.responded',
    ...ATTEMPT,
    turn: 1,
    responseId: null,
    text: '',
    refusal: null,
    finish: { unified: 'tool_calls', raw: 'tool_calls' },
    raw: [],
    calls: calls.map((call) => ({
      toolCallId: call.id,
      callId: `c-${call.id}`,
      providerCallId: null,
      tool: 'refund',
      arguments: call.arguments ?? '{"a":1.0}',
    })),
  };
}

const CHECKS = {
  registered: 'passed',
  arguments: 'passed',
  scope: 'passed',
  policy: 'passed',
  credential: 'not_reached',
} as const;
const bound = { arguments: '{"a":1.0}' as JsonText, argumentsDigest: 'sha256:arguments' as Digest };
const permitted = (toolCallId: string): RunEvent => ({
  type: 'tool.permitted',
  toolCallId,
  checks: CHECKS,
  policyVersion: 5,
  policyRule: 'tenant:1',
  ...bound,
});
const startedCall = (toolCallId: string, intentKey: string | null): RunEvent => ({
  type: 'tool.started',
  toolCallId,
  idempotencyKey: `eff_${toolCallId}`,
  intentKey,
  approvalId: null,
});
const succeeded = (toolCallId: string): RunEvent => ({
  type: 'tool.succeeded',
  toolCallId,
  output: '{"ok":true}' as JsonText,
  text: 'ok',
  replayOf: null,
  bound: null,
  binding: 'sha256:binding' as Digest,
  attempts: 2,
});

it('a run begins with its columns, its first event and its input as messages of turn 0', () => {
  const rows = projectStart(created, CREATION, '{"n":1.0}' as JsonText);
  expect(rows).toMatchObject({
    agentName: 'support',
    subjectId: 'customer-1',
    metadata: '{"n":1.0}',
    runningMsLeft: 100_000,
    createdAt: 1_000,
  });
  expect(rows.messages.map(({ turn, position, role }) => [turn, position, role])).toEqual([
    [0, 0, 'user'],
    [0, 1, 'assistant'],
  ]);
  expect(JSON.parse(rows.created)).not.toHaveProperty('type');
});

it('a step that only records names no other rows', () => {
  const { run, ...rest } = rowsOf(
    step(running, { type: 'run.cancel_requested', by: { type: 'key', id: 'k' } }),
  );
  expect(rest).toEqual({
    revision: 7,
    events: [{ seq: 3, type: 'run.cancel_requested', at: 3_000, data: '{"by":{"type":"key","id":"k"}}' }],
  });
  expect(run).toMatchObject({ status: 'running', deadlineAt: 102_000 });
});

it('a call that is proposed, permitted and begun in one step is one new row with all of it', () => {
  const rows = rowsOf(
    step(running, replied({ id: 'tcl_1' }), permitted('tcl_1'), startedCall('tcl_1', 'intent')),
  );
  expect(rows.changedCalls).toBeUndefined();
  expect(rows.toolCalls).toMatchObject([
    {
      id: 'tcl_1',
      status: 'executing',
      toolVersion: 3,
      arguments: '{"a":1.0}',
      argumentsDigest: 'sha256:arguments',
      idempotencyKey: 'eff_tcl_1',
      startedAt: 3_002,
      createdAt: 3_000,
    },
  ]);
  expect(JSON.parse(rows.toolCalls?.[0]?.revisions ?? '')).toEqual({
    adapter: 'a',
    sdk: 's',
    handler: null,
    policy: '5',
  });
});

it('results stand in the order of their calls, whichever comes first', () => {
  const { after } = step(
    running,
    replied({ id: 'tcl_1' }, { id: 'tcl_2' }),
    ...['tcl_1', 'tcl_2'].flatMap((id) => [permitted(id), startedCall(id, null)]),
  );
  const second = rowsOf(step(after, succeeded('tcl_2')));
  expect(second.messages).toMatchObject([{ turn: 1, position: 2, role: 'tool' }]);
  expect(second.changedCalls).toMatchObject([
    { id: 'tcl_2', status: 'succeeded', result: '{"ok":true}', attempts: 2 },
  ]);
  expect(second.run.messageCount).toBe(4);
});

it.each(['__proto__', 'constructor'])('a call of %s has no version of a tool', (tool) => {
  const proposed = replied({ id: 'tcl_1' });
  if (proposed.type !== 'model.responded') throw new Error(proposed.type);
  const calls = proposed.calls.map((call) => ({ ...call, tool }));
  expect(rowsOf(step(running, { ...proposed, calls })).toolCalls).toMatchObject([
    { tool, toolVersion: null },
  ]);
});

it('an effect is settled by its outcome, a read has none', () => {
  const begun = (intentKey: string | null) =>
    step(running, replied({ id: 'tcl_1' }), permitted('tcl_1'), startedCall('tcl_1', intentKey)).after;
  expect(rowsOf(step(begun('intent'), succeeded('tcl_1'))).effectOutcomes).toEqual([
    { id: 'eff_tcl_1', state: 'succeeded', settledAt: 3_000 },
  ]);
  expect(rowsOf(step(begun(null), succeeded('tcl_1'))).effectOutcomes).toBeUndefined();
});

const DOUBTED: RunEvent = {
  type: 'tool.unknown',
  toolCallId: 'tcl_1',
  message: 'No answer.',
  onUnknown: 'ask',
  askUntil: 9_000,
  attempts: 1,
};

it('an effect that is doubted, settled and tried again in one step is left as the step leaves it', () => {
  const begun = step(
    running,
    replied({ id: 'tcl_1' }),
    permitted('tcl_1'),
    startedCall('tcl_1', 'intent'),
  ).after;
  const settled = (outcome: 'happened' | 'did_not_happen'): RunEvent => ({
    type: 'tool.settled',
    toolCallId: 'tcl_1',
    outcome,
    by: { type: 'reconcile' },
    output: null,
    text: 'Asked.',
    binding: 'sha256:binding' as Digest,
  });
  const outcomesOf = (...events: RunEvent[]) =>
    rowsOf(step(begun, ...events)).effectOutcomes?.map(({ state }) => state);
  expect(outcomesOf(DOUBTED, settled('happened'))).toEqual(['succeeded']);
  expect(outcomesOf(DOUBTED, settled('did_not_happen'))).toEqual(['failed']);
  expect(outcomesOf(DOUBTED, settled('did_not_happen'), startedCall('tcl_1', 'intent'))).toBeUndefined();
});

it('a run that ends has a result for every call, even where nobody knows what happened', () => {
  const open = step(
    running,
    replied({ id: 'tcl_1' }),
    permitted('tcl_1'),
    startedCall('tcl_1', 'i'),
    DOUBTED,
  );
  expect(rowsOf(open).messages?.map(({ role }) => role)).toEqual(['assistant']);
  expect(rowsOf(open).toolCalls?.[0]?.error).toBe('{"code":"outcome_unknown","message":"No answer."}');
  const reason = { code: 'outcome_unknown', message: 'Nobody answered.' } as const;
  const end = rowsOf(step(open.after, { type: 'run.finished', status: 'failed', reason, output: null }));
  expect(end.messages).toMatchObject([{ turn: 1, position: 1, role: 'tool' }]);
  expect(end.run).toMatchObject({ status: 'failed', reasonCode: 'outcome_unknown', messageCount: 4 });
});

it('what a run waits for is JSON in which arguments keep their digits', () => {
  const waits = {
    approvals: ['apr_1'],
    toolResults: ['tcl_1'],
    outcomes: [],
    until: 60_000,
    why: null,
  } as const;
  const { run } = rowsOf(
    step(running, replied({ id: 'tcl_1' }), permitted('tcl_1'), { type: 'run.waiting', ...waits }),
  );
  expect(run).toMatchObject({ status: 'waiting', wakeAt: 60_000, runningMsLeft: 98_998 });
  expect(run.waitingOn).toContain('"arguments":{"a":1.0}');
  expect(JSON.parse(run.waitingOn ?? '')).toMatchObject({
    approvals: ['apr_1'],
    until: '1970-01-01T00:01:00.000Z',
  });
});

it('a running time beyond 24 days still fits its column', () => {
  const long = createRun(
    { id: 'run_0', tenant: 'ten_0' },
    { ...CREATED, limits: { ...CREATED.limits, deadlineSeconds: 2_592_000 } },
    0,
  );
  expect(projectStart(long, CREATION, null).runningMsLeft).toBe(2_147_483_647);
});
