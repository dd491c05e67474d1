import type { ModelFailure } from '../model/model-event.js';
import type { JsonText } from '../shared/brand.js';
import { call, OPEN_POLICY, reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read, refund, refundReply, rule, waitingForApproval } from '../testing/refund-world.js';

const checked = tool('refund_order', 'once', { check: { url: 'http://shop/check' } });

function failure(part: Partial<ModelFailure>) {
  const base: ModelFailure = {
    code: 'overloaded',
    message: 'busy',
    status: 503,
    neverSent: false,
    retryAfterMs: 1,
    usage: null,
  };
  return { type: 'failure' as const, failure: { ...base, ...part } };
}

function first(world: LoopWorld) {
  return world.run.turns[0]?.calls[0];
}

describe('a worker that stops or is lost', () => {
  test('in the middle of the check of facts, intends nothing that was not checked', async () => {
    const world = await waitingForApproval({ tools: [read, checked] });
    world.decide('approve');
    world.during.check = () => world.stop();
    await world.work();
    expect(world.types).not.toContain('tool.started');
    expect(world.run.status.name).toBe('queued');
    world.during = {};
    await world.work();
    expect(world.performed).toHaveLength(1);
  });

  test('by a database that is away as a call is prepared, leaves nothing in doubt and no try spent', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    const away = new Error('the database is away');
    for (let times = 0; times < 3; times += 1) {
      world.during.lookUp = () => {
        throw away;
      };
      await expect(world.work()).rejects.toBe(away);
      expect(world.types).not.toContain('tool.started');
    }
    world.during = {};
    await world.work();
    expect(first(world)).toMatchObject({ tries: 1, state: { status: 'succeeded' } });
    expect(world.performed).toHaveLength(1);
  });

  test('while a tool answers, keeps what the tool said for certain', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.during.execute = () => world.stop();
    world.outcome = () => ({
      type: 'failed',
      code: 'tool_refused',
      detail: 'no',
      infrastructure: false,
      attempts: 1,
    });
    await world.work();
    expect(first(world)?.state).toMatchObject({ status: 'failed', code: 'tool_refused' });
  });

  test('before a call was sent, leaves it to be sent once by the next, without asking anybody', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.during.execute = () => world.stop();
    world.outcome = () => ({
      type: 'failed',
      code: 'aborted',
      detail: '',
      infrastructure: false,
      attempts: 0,
    });
    await world.work();
    world.during = {};
    world.outcome = () => ({ type: 'succeeded', output: '{}' as JsonText, attempts: 1 });
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'completed' });
    expect(new Set(world.performed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test('between two attempts at a model, has told of the first: it is not booked as sent', async () => {
    const world = new LoopWorld({ replies: [failure({}), done] });
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'completed' });
    const told = new LoopWorld({ replies: [failure({ retryAfterMs: 20 }), done] });
    told.during.prepare = () => {
      if (told.asked.length > 0) told.killAt = 'before_reserve';
    };
    expect(await told.work()).toBe('killed');
    expect(told.events.at(-1)?.event).toMatchObject({ type: 'model.failed', costUsd: '0.000000' });
  });

  test('with two reads in doubt, six times, is not followed by a seventh that runs one of them', async () => {
    const twice = reply({
      calls: [call('search_orders', { orderId: 1 }), call('search_orders', { orderId: 2 })],
    });
    const world = new LoopWorld({ tools: [read], replies: [twice, done] });
    world.killAt = 'before_effect';
    await world.work();
    const before = world.performed.length;
    for (let claim = 1; claim <= 5; claim += 1) {
      world.append({ type: 'run.handed_back', reason: 'lease_expired' });
      world.append({ type: 'run.resumed', worker: 'w', waitedMs: 0 });
    }
    await world.work();
    expect(world.performed).toHaveLength(before);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'worker_lost' } });
  });
});

test('an intent that another call took after the first try did not happen is waited for, not tried in a circle', async () => {
  const world = await waitingForApproval();
  world.decide('approve');
  world.outcome = () => ({ type: 'unknown', detail: 'no answer', infrastructure: true, attempts: 1 });
  world.reconciliation = { type: 'did_not_happen' };
  world.during.execute = () => {
    for (const [key] of world.intents)
      world.intents.set(key, { state: 'executing', toolCallId: 'tcl_other' });
  };
  await world.work();
  expect(world.performed).toHaveLength(1);
  expect(world.run.status).toMatchObject({ name: 'waiting', on: { why: 'intent_held' } });
});

test('a second try that a person has to sign again is still the last', async () => {
  const world = await waitingForApproval();
  world.decide('approve');
  world.outcome = () => ({ type: 'unknown', detail: 'no answer', infrastructure: true, attempts: 1 });
  world.reconciliation = { type: 'did_not_happen' };
  const rules = [rule({ action: 'require_approval', approverRole: 'lead' })];
  world.during.execute = () => {
    world.governance = { ...world.governance, revision: 2, policy: { ...OPEN_POLICY, version: 1, rules } };
  };
  await world.work();
  expect(world.performed).toHaveLength(1);
  world.governance = { ...world.governance, revision: 3, policy: OPEN_POLICY };
  world.during = {};
  world.decide('approve');
  await world.work();
  expect(world.performed).toHaveLength(2);
  expect(first(world)?.state).toMatchObject({ status: 'failed', code: 'did_not_happen' });
});

test('what was decided by rules that changed before it was committed is decided again', async () => {
  const world = new LoopWorld({
    tools: [read],
    replies: [reply({ calls: [call('search_orders', {})] }), done],
  });
  const deny = [rule({ tool: 'search_orders', action: 'deny', reason: 'closed' })];
  world.governance = { ...world.governance, policy: { ...OPEN_POLICY, rules: deny } };
  world.during.prepare = () => {
    if (world.asked.length === 0) return;
    world.during = {};
    world.governance = { ...world.governance, revision: 2, policy: OPEN_POLICY };
  };
  await world.work();
  expect(world.performed).toHaveLength(1);
  expect(first(world)?.state.status).toBe('succeeded');
});

test('a model that exceeds our own limit of time has failed an attempt, like any other', async () => {
  const world = new LoopWorld({ replies: [failure({ code: 'aborted', status: null }), done] });
  await world.work();
  expect(world.events.find(({ event }) => event.type === 'model.failed')?.event).toMatchObject({
    code: 'timeout',
  });
  expect(world.run.status).toMatchObject({ status: 'completed' });
});

test('the time that a run spends in the queue does not count against a model', async () => {
  const world = new LoopWorld({ replies: [failure({}), done] });
  world.during.prepare = () => {
    if (world.asked.length === 1) world.stop();
  };
  await world.work();
  world.during = {};
  world.now += 3_600_000;
  await world.work();
  expect(world.run.status).toMatchObject({ status: 'completed' });
});

test('waits for money that others have reserved grow longer, up to half a minute', async () => {
  const world = new LoopWorld({ replies: [done] });
  world.reservation = 'blocked_by_reservations';
  const waits: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await world.work();
    const { status } = world.run;
    waits.push(status.name === 'waiting' ? (status.on.until ?? 0) - world.now : 0);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('refunds that are asked about are not held by what held them before', async () => {
  const world = new LoopWorld({ tools: [refund], replies: [refundReply, done] });
  const probe = await waitingForApproval();
  probe.decide('approve');
  probe.killAt = 'after_intent';
  await probe.work();
  for (const [key] of probe.intents) world.intents.set(key, { state: 'executing', toolCallId: 'tcl_other' });
  await world.work();
  expect(world.run.status).toMatchObject({ name: 'waiting', on: { why: 'intent_held' } });
  world.intents.clear();
  world.now += 2_000;
  await world.work();
  expect(world.run.status).toMatchObject({
    name: 'waiting',
    on: { why: null, approvals: [expect.any(String)] },
  });
});

describe('a worker whose clock is behind', () => {
  test('a model call begins no earlier than what the run has seen, though the clock of its worker is behind', async () => {
    const world = new LoopWorld({
      tools: [read],
      replies: [reply({ calls: [call('search_orders', {}, 'c')] }), done],
    });
    const claimedAt = world.now;
    world.during.prepare = () => {
      world.now -= 50;
    };
    await world.work();
    const begun = world.events.flatMap(({ event }) =>
      event.type === 'model.responded' ? [event.startedAt] : [],
    );
    expect(begun).toEqual([claimedAt, claimedAt]);
  });
});
