import { ARun } from './a-run';
import type { CallStory } from './call-draft';
import { culprit, problems } from './problems';
import { type Story, story } from './story';

const callOf = (told: Story, tool: string): CallStory => {
  const call = told.calls.get(`tcl_${tool}`);
  if (call === undefined) throw new Error(`no call of ${tool}`);
  return call;
};
const stretches = (told: Story, tool: string, run: ARun) =>
  callOf(told, tool).stretches.map(({ kind, from, to, ended }) => [
    kind,
    run.since(from),
    to && run.since(to),
    ended,
  ]);

test('nothing is told before the first event', () => {
  expect(story([])).toMatchObject({
    creation: null,
    moments: [],
    status: 'queued',
    begunAt: null,
    asking: null,
  });
});

test('moments come in the order in which they happened, each call with the reply that proposed it', () => {
  const run = new ARun()
    .queued('Hello')
    .started()
    .failed()
    .replied(['find', 'refund'], { text: 'One moment.' });
  run.permitted('find').executed('find').denied('refund').replied([], { text: 'Done.' }).finished();
  const { moments } = story(run.events);
  expect(moments.map(({ kind }) => kind)).toEqual(['input', 'attempt', 'reply', 'reply', 'ending']);
  expect(moments[2]).toMatchObject({
    text: 'One moment.',
    model: { turn: 1, attempt: 2 },
    calls: [
      {
        tool: 'find',
        status: 'succeeded',
        result: { text: '{"ok":true}' },
        checks: { credential: 'passed' },
      },
      { tool: 'refund', status: 'denied', trouble: { code: 'policy_denied' }, checks: { policy: 'stopped' } },
    ],
  });
  expect(moments[3]).toMatchObject({ model: { turn: 2, attempt: 1 } });
});

test('a call waits for its approval, for the time to undo it, and executes', () => {
  const run = new ARun().queued().started().replied(['refund']).asked('refund').waiting();
  run
    .decided('refund', 'approve', { after: 60_000, hold: 5_000 })
    .add('run.queued', { reason: 'timer' }, 5_200);
  run.resumed(100).executed('refund', 120);
  const told = story(run.events);
  expect(stretches(told, 'refund', run)).toEqual([
    ['approval_wait', 415, 60_416, 'approved'],
    ['undo_wait', 60_416, 65_416, 'started'],
    ['tool_call', 65_726, 65_846, 'succeeded'],
  ]);
  expect(told.waits.map(({ kind, from, to }) => [kind, run.since(from), to && run.since(to)])).toEqual([
    ['queue_wait', 0, 5],
    ['queue_wait', 65_616, 65_716],
  ]);
});

test('an approval that takes two waits for the second', () => {
  const run = new ARun().queued().started().replied(['refund']).asked('refund', { required: 2 }).waiting();
  run.decided('refund', 'approve', { by: 'usr_a' });
  expect(callOf(story(run.events), 'refund')).toMatchObject({ status: 'awaiting_approval' });
  run.decided('refund', 'approve', { by: 'usr_b' });
  const call = callOf(story(run.events), 'refund');
  expect(call.status).toBe('approved');
  expect(call.approvals[0]?.decisions.map(({ by }) => by.id)).toEqual(['usr_a', 'usr_b']);
});

test('an edit voids the approvals before it, and what was asked for comes back with an undo', () => {
  const edited = { arguments: { amount: '50.00' }, argumentsDigest: 'sha256:b' };
  const run = new ARun().queued().started().replied(['refund']).asked('refund', { required: 2 });
  run.decided('refund', 'approve').decided('refund', 'approve', { edited });
  expect(callOf(story(run.events), 'refund')).toMatchObject({ status: 'awaiting_approval', bound: edited });
  run.add('approval.reopened', {
    toolCallId: 'tcl_refund',
    approvalId: 'apr_refund',
    by: { type: 'member', id: 'usr_rita' },
  });
  const call = callOf(story(run.events), 'refund');
  expect(call.bound?.argumentsDigest).toBe('sha256:a');
  expect(call.approvals[0]?.decisions).toEqual([]);
});

test('one rejection ends it, with the words of who rejected', () => {
  const run = new ARun()
    .queued()
    .started()
    .replied(['refund'])
    .asked('refund')
    .waiting()
    .decided('refund', 'reject');
  expect(callOf(story(run.events), 'refund')).toMatchObject({
    status: 'denied',
    trouble: { code: 'approval_rejected', message: 'too late' },
    approvals: [{ status: 'rejected' }],
  });
});

test('an unknown outcome is waited for until somebody says that it happened', () => {
  const run = new ARun().queued().started().replied(['refund']).permitted('refund').executing('refund');
  const unknown = { toolCallId: 'tcl_refund', message: 'sent, no answer', onUnknown: 'ask', attempts: 1 };
  run.add('tool.unknown', { ...unknown, askUntil: '2026-10-03T09:00:00.000Z' }, 900).waiting();
  expect(callOf(story(run.events), 'refund')).toMatchObject({ status: 'unknown' });
  run.add('tool.settled', {
    toolCallId: 'tcl_refund',
    outcome: 'happened',
    by: { type: 'reconcile' },
    output: { id: 1 },
    text: '',
  });
  const told = story(run.events);
  expect(callOf(told, 'refund')).toMatchObject({
    status: 'succeeded',
    trouble: null,
    settled: { outcome: 'happened' },
  });
  expect(stretches(told, 'refund', run).map(([kind, , , ended]) => [kind, ended])).toEqual([
    ['tool_call', 'unknown'],
    ['outcome_wait', 'happened'],
  ]);
  expect(told.status).toBe('queued');
});

test('a second execution is a stretch of its own', () => {
  const run = new ARun().queued().started().replied(['refund']).permitted('refund').executing('refund');
  const unknown = {
    toolCallId: 'tcl_refund',
    message: 'lost',
    onUnknown: 'ask',
    askUntil: '2026-10-03T09:00:00.000Z',
  };
  run.add('tool.unknown', { ...unknown, attempts: 1 });
  run.add('tool.settled', {
    toolCallId: 'tcl_refund',
    outcome: 'did_not_happen',
    by: { type: 'reconcile' },
    output: null,
    text: '',
  });
  run.executed('refund');
  const { stretches: all, attempts } = callOf(story(run.events), 'refund');
  expect(all.map(({ id }) => id)).toEqual(['tcl_refund', 'outcome_wait_6', 'tcl_refund/2']);
  expect(attempts).toBe(2);
});

test('a call that another one holds waits for it, however often it looks', () => {
  const run = new ARun().queued().started().replied(['refund']);
  const held = { toolCallId: 'tcl_refund', until: '2026-10-01T09:00:09.000Z' };
  run.add('tool.held', held).add('tool.held', held).permitted('refund');
  expect(stretches(story(run.events), 'refund', run)).toEqual([['hold_wait', 415, 435, 'permitted']]);
});

test('a run that waits while none of its calls does waits for a time, and why is kept', () => {
  const run = new ARun()
    .queued()
    .started()
    .waiting('budget_reserved')
    .add('run.queued', { reason: 'timer' }, 3_000)
    .resumed();
  expect(story(run.events).waits.map(({ id, kind, why }) => [id, kind, why])).toEqual([
    ['queue_1', 'queue_wait', null],
    ['timer_3', 'timer_wait', 'budget_reserved'],
    ['queue_4', 'queue_wait', null],
  ]);
});

test('a model is being asked while the run runs and every call has its result', () => {
  const run = new ARun().queued().started();
  expect(story(run.events).asking?.turn).toBe(1);
  run.replied(['find']);
  expect(story(run.events).asking).toBeNull();
  run.permitted('find').executed('find');
  expect(story(run.events).asking?.turn).toBe(2);
  run.replied([]).finished();
  expect(story(run.events).asking).toBeNull();
});

test('events of types that are not known change nothing', () => {
  const run = new ARun().queued().started().replied(['find']);
  const before = story(run.events);
  run.add('run.blessed', { by: 'nobody' }).add('tool.sung', { toolCallId: 'tcl_find' });
  expect(story(run.events).moments).toEqual(before.moments);
});

test.each([
  ['model_unavailable', 'mdl_4'],
  ['outcome_unknown', 'mdl_4'],
  ['no_progress', 'tcl_find'],
])('a run that failed by %s is looked at first where that happened', (code, expected) => {
  const run = new ARun().queued().started().replied(['find']).permitted('find').failed().failed();
  run.finished('failed', { code, message: '' });
  expect(culprit(story(run.events))?.id).toBe(expected.replace('mdl_4', 'mdl_5'));
});

test('a denied call is a problem also where the run went well; nothing of that run is to blame', () => {
  const run = new ARun().queued().started().replied(['refund']).denied('refund').replied([]).finished();
  expect(problems(story(run.events))).toEqual([{ id: 'tcl_refund' }]);
  expect(culprit(story(run.events))).toBeNull();
});
