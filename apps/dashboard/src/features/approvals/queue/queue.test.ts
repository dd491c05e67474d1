import type { Approval, Outcome } from '@countersign/contracts';
import { keepOpenInPlace, openAfter, type QueueItem, queueOf, stepFrom } from './queue';

const NOW = Date.parse('2026-10-21T09:00:00.000Z');
const ALL = { tool: null, agent: null, within: null };

const approval = (id: string, rest: Partial<Approval> = {}): Approval => ({
  id,
  runId: 'run_1',
  agent: { name: 'support', version: 1 },
  toolCallId: `tcl_${id}`,
  tool: 'refund_order',
  toolVersion: 1,
  arguments: {},
  argumentsDigest: 'sha256:0',
  effect: 'once',
  money: null,
  facts: null,
  reason: '',
  policyRule: 'default',
  policyVersion: 1,
  subject: null,
  status: 'pending',
  requiredApprovals: 1,
  approverRoles: [],
  startedBy: { type: 'key', id: 'key_1' },
  decisions: [],
  requestedAt: '2026-10-21T08:00:00.000Z',
  expiresAt: '2026-10-21T10:00:00.000Z',
  ...rest,
});
const outcome = (toolCallId: string, tool = 'refund_order'): Outcome => ({
  runId: 'run_1',
  toolCallId,
  tool,
  arguments: {},
  argumentsDigest: null,
  effect: 'once',
  idempotencyKey: 'eff_1',
  status: 'pending',
  detail: null,
  subject: null,
  tries: 1,
  startedAt: null,
});
const items = (...ids: string[]): QueueItem[] =>
  ids.map((id) => ({ kind: 'approval', id, approval: approval(id) }));
const ids = (queue: readonly QueueItem[]) => queue.map(({ id }) => id);

describe('the queue', () => {
  test('has effects in doubt first, and approvals in the order that they came in', () => {
    expect(ids(queueOf([outcome('tcl_1')], [approval('a'), approval('b')], ALL, NOW))).toEqual([
      'tcl_1',
      'a',
      'b',
    ]);
  });

  test('has only what is pending', () => {
    expect(ids(queueOf([], [approval('a', { status: 'approved' }), approval('b')], ALL, NOW))).toEqual(['b']);
  });

  test('narrowed to what expires soon, ends there', () => {
    const soon = approval('soon', { expiresAt: '2026-10-21T09:15:00.000Z' });
    expect(ids(queueOf([], [soon, approval('late')], { ...ALL, within: 15 }, NOW))).toEqual(['soon']);
  });

  test('narrowed to a tool, hides outcomes of others; narrowed to an agent, hides none', () => {
    const outcomes = [outcome('tcl_1'), outcome('tcl_2', 'send_credit')];
    expect(ids(queueOf(outcomes, [], { ...ALL, tool: 'send_credit' }, NOW))).toEqual(['tcl_2']);
    expect(ids(queueOf(outcomes, [], { ...ALL, agent: 'travel' }, NOW))).toEqual(['tcl_1', 'tcl_2']);
  });
});

describe('the row that is open', () => {
  test.each([
    [['a', 'b', 'c'], ['a', 'c'], 'b', ['a', 'b', 'c']],
    [['a', 'b', 'c'], ['new', 'a', 'c'], 'b', ['new', 'a', 'b', 'c']],
    [['a', 'b', 'c'], ['a'], 'c', ['a', 'c']],
    [['a', 'b', 'c'], ['a', 'd'], 'b', ['a', 'd', 'b']],
    [['a', 'b'], ['b'], 'b', ['b']],
    [['a', 'b'], ['b'], null, ['b']],
    [['a', 'b'], ['b'], 'z', ['b']],
  ])('of %j stays where it was in %j', (before, now, open, expected) => {
    expect(ids(keepOpenInPlace(items(...before), items(...now), open))).toEqual(expected);
  });
});

test.each([
  [['a', 'b', 'c'], 'a', 1, 'b'],
  [['a', 'b', 'c'], 'c', 1, 'c'],
  [['a', 'b', 'c'], 'a', -1, 'a'],
  [['a', 'b', 'c'], 'gone', 1, 'a'],
  [['a', 'b', 'c'], null, 1, 'a'],
  [[], 'a', 1, null],
])('in %j, from %s by %i, it is %s', (queue, open, steps, expected) => {
  expect(stepFrom(items(...queue), open, steps)).toBe(expected);
});

test.each([
  [['a', 'b', 'c'], 'b', 'c'],
  [['a', 'b', 'c'], 'c', 'b'],
  [['a'], 'a', null],
])('in %j, after %s is done, %s opens', (queue, done, expected) => {
  expect(openAfter(items(...queue), done)).toBe(expected);
});
