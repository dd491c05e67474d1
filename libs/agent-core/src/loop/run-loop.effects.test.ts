import type { Digest, JsonText } from '../shared/brand.js';
import { call, OPEN_POLICY, reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import {
  done,
  read,
  refund,
  refundReply,
  results,
  rule,
  settle,
  waitingForApproval,
} from '../testing/refund-world.js';

describe('an effect', () => {
  test.each([
    'before_intent',
    'after_intent',
    'before_effect',
    'after_effect',
    'before_settle',
    'after_settle',
  ])('a worker killed %s leaves one refund, never two', async (point) => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.killAt = point;
    expect(await world.work()).toBe('killed');
    const happened = world.performed.length > 0;
    world.reconciliation = happened
      ? { type: 'happened', output: '{"done":"refund_order"}' as JsonText }
      : { type: 'did_not_happen' };
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'finished', status: 'completed' });
    expect(world.performed).toHaveLength(1);
  });

  test('an idempotent call that was interrupted is redone with the same key', async () => {
    const world = new LoopWorld({
      tools: [tool('note', 'idempotent')],
      agent: { policy: [] },
      replies: [reply({ calls: [call('note', { orderId: 1 })] }), done],
    });
    world.governance = {
      ...world.governance,
      policy: { ...OPEN_POLICY, rules: [rule({ action: 'allow' })] },
    };
    world.killAt = 'after_effect';
    await world.work();
    await world.work();
    expect(world.performed).toHaveLength(2);
    expect(new Set(world.performed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('an idempotent effect that failed in doubt is sent again under the same key when the model proposes it anew', async () => {
    const propose = () => reply({ calls: [call('note', { orderId: 1 })] });
    const world = new LoopWorld({
      tools: [tool('note', 'idempotent')],
      replies: [propose(), propose(), done],
    });
    world.governance = {
      ...world.governance,
      policy: { ...OPEN_POLICY, rules: [rule({ action: 'allow' })] },
    };
    world.outcome = () => ({
      type: 'failed',
      code: 'tool_timeout',
      detail: 'late',
      infrastructure: true,
      attempts: 3,
    });
    await world.work();
    expect(world.performed).toHaveLength(2);
    expect(new Set(world.performed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test('an effect in doubt is resolved before a cancellation is honoured', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.killAt = 'after_effect';
    await world.work();
    world.append({ type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } });
    world.reconciliation = { type: 'happened', output: '{"done":"refund_order"}' as JsonText };
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'cancelled', reason: null });
    expect(world.types.indexOf('tool.settled')).toBeLessThan(world.types.indexOf('run.finished'));
    expect(results(world)[0]).toContain('refund_order');
  });

  test('an unknown outcome that nobody answers ends the run outcome_unknown, and the answer may still come', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.outcome = () => ({ type: 'unknown', detail: 'no answer', infrastructure: true, attempts: 1 });
    await world.work();
    expect(world.run.status).toMatchObject({
      name: 'waiting',
      on: { outcomes: [expect.stringMatching(/^tcl_/)] },
    });
    world.now += 86_400_000;
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'outcome_unknown' } });
    const before = world.run.status;
    settle(world, 'happened', 'It happened.');
    expect(world.run.status).toEqual(before);
    expect(world.run.turns[0]?.calls[0]?.state.status).toBe('succeeded');
  });

  test('the word that it did not happen, after the run has ended, frees the intent and tries nothing', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.outcome = () => ({ type: 'unknown', detail: 'no answer', infrastructure: true, attempts: 1 });
    await world.work();
    world.now += 86_400_000;
    await world.work();
    settle(world, 'did_not_happen', 'It did not happen.');
    expect(world.run.turns[0]?.calls[0]?.state).toMatchObject({ status: 'failed', code: 'did_not_happen' });
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'outcome_unknown' } });
  });

  test('the word that it did not happen frees one more try with the same key, never a third', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.outcome = () => ({ type: 'unknown', detail: 'no answer', infrastructure: true, attempts: 1 });
    world.reconciliation = { type: 'did_not_happen' };
    await world.work();
    expect(world.performed).toHaveLength(2);
    expect(new Set(world.performed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(world.run.turns[0]?.calls[0]?.state).toMatchObject({ status: 'failed', code: 'did_not_happen' });
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('the same intent proposed again under a new id is answered from the record', async () => {
    const again = reply({ calls: [call('refund_order', { orderId: 3, amount: '10.00' }, 'call_1')] });
    const world = await waitingForApproval({ replies: [refundReply, again, done] });
    world.decide('approve');
    await world.work();
    expect(world.performed).toHaveLength(1);
    const [first] = world.run.turns[0]?.calls ?? [];
    const [second] = world.run.turns[1]?.calls ?? [];
    expect(second?.state).toMatchObject({ status: 'succeeded', replayOf: first?.id });
    expect(second?.callId).not.toBe(first?.callId);
  });

  test('the same intent with another amount is denied', async () => {
    const again = reply({ calls: [call('refund_order', { orderId: 3, amount: '11.00' }, 'call_2')] });
    const world = await waitingForApproval({ replies: [refundReply, again, done] });
    world.decide('approve');
    await world.work();
    expect(world.run.turns[1]?.calls[0]?.state).toMatchObject({
      status: 'denied',
      code: 'intent_already_done',
    });
  });

  test('an intent that another run is executing holds the call', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    const asked = world.run.turns[0]?.calls[0];
    expect(asked?.state.status).toBe('approved');
    const taken = new LoopWorld({ tools: [refund], replies: [refundReply] });
    await taken.work();
    taken.decide('approve');
    taken.killAt = 'after_intent';
    await taken.work();
    for (const [key, record] of taken.intents) world.intents.set(key, { ...record, toolCallId: 'tcl_other' });
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { why: 'intent_held' } });
    world.intents.clear();
    world.now += 1_000;
    await world.work();
    expect(world.performed).toHaveLength(1);
  });

  test('facts that changed since the approval deny the call before it runs', async () => {
    const world = await waitingForApproval({
      tools: [read, tool('refund_order', 'once', { check: { url: 'http://shop/check' } })],
    });
    world.decide('approve');
    world.facts = { type: 'changed', facts: '{}' as JsonText, message: 'The order was refunded' };
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.turns[0]?.calls[0]?.state).toMatchObject({ status: 'denied', code: 'facts_changed' });
  });

  test('a check that does not answer fails the call, and nothing runs', async () => {
    const world = await waitingForApproval({
      tools: [read, tool('refund_order', 'once', { check: { url: 'http://shop/check' } })],
    });
    world.decide('approve');
    world.facts = { type: 'unavailable', detail: 'time-out' };
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.turns[0]?.calls[0]?.state).toMatchObject({
      status: 'failed',
      code: 'check_unavailable',
    });
  });

  test('a run that loses its worker five times without progress is not run again', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.killAt = 'after_effect';
    await world.work();
    for (let claim = 1; claim <= 5; claim += 1) {
      world.append({ type: 'run.handed_back', reason: 'lease_expired' });
      world.append({ type: 'run.resumed', worker: 'w', waitedMs: 0 });
    }
    await world.work();
    expect(world.performed).toHaveLength(1);
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { outcomes: [expect.any(String)] } });
    world.now += 86_400_000;
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'outcome_unknown' } });
  });

  test('an edit that is undone takes its arguments with it', async () => {
    const world = await waitingForApproval();
    const asked = world.run.turns[0]?.calls[0]?.state;
    if (asked?.status !== 'awaiting_approval') throw new Error(asked?.status);
    const { approvalId } = asked.approval;
    const toolCallId = world.run.turns[0]?.calls[0]?.id ?? '';
    const by = { type: 'key', id: 'key_1' } as const;
    const edited = {
      arguments: '{"orderId":3,"amount":"1.00"}' as JsonText,
      argumentsDigest: 'sha256:e' as Digest,
    };
    const notBefore = world.now + 5_000;
    world.append({
      type: 'approval.decided',
      approvalId,
      toolCallId,
      by,
      decision: 'approve',
      message: null,
      edited,
      notBefore,
    });
    world.append({ type: 'approval.reopened', approvalId, toolCallId, by });
    expect(world.run.turns[0]?.calls[0]?.state).toMatchObject({
      status: 'awaiting_approval',
      arguments: asked.arguments,
      approval: { argumentsDigest: asked.argumentsDigest, decisions: [] },
    });
  });

  test('an unknown outcome that the model is told names what to look up, and the look-up is not answered from the record', async () => {
    const book = tool('book', 'once', { onUnknown: 'tell', inject: { amount: '/id' } });
    const look = reply({ calls: [call('search_orders', { orderId: 3 })] });
    const booking = (id: string) => reply({ calls: [call('book', { orderId: 3 }, id)] });
    const world = new LoopWorld({
      tools: [read, book],
      replies: [look, booking('a'), look, booking('b'), done],
    });
    world.governance = { ...world.governance, policy: { ...OPEN_POLICY, rules: [rule({ tool: 'book' })] } };
    const usual = world.outcome;
    world.outcome = (invocation) =>
      invocation.call.tool === 'book'
        ? { type: 'unknown', detail: 'No answer came', infrastructure: true, attempts: 1 }
        : usual(invocation);
    await world.work();
    expect(results(world)).toEqual([
      '{"done":"search_orders"}',
      'The call was sent, and its outcome is unknown: No answer came. To be looked up first: whether "book" with ' +
        'orderId 3 took effect. It may have happened. Do not repeat it.',
      '{"done":"search_orders"}',
      expect.stringContaining('An earlier call with the same intent has an unknown outcome'),
    ]);
    expect(world.performed.map(({ call: { tool: name } }) => name)).toEqual([
      'search_orders',
      'book',
      'search_orders',
    ]);
  });
});
