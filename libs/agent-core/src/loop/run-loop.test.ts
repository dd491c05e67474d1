import { conversationOf } from '../run/conversation.js';
import { call, OPEN_POLICY, reply } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import {
  done,
  read,
  refund,
  refundReply,
  results,
  rule,
  waitingForApproval,
} from '../testing/refund-world.js';

describe('the loop', () => {
  test('a read is allowed, run, and its result goes back to the model', async () => {
    const world = new LoopWorld({
      tools: [read],
      replies: [reply({ calls: [call('search_orders', { orderId: 3 }, 'c')] }), done],
    });
    await world.work();
    expect(world.run.status).toMatchObject({
      name: 'finished',
      status: 'completed',
      reason: null,
      output: 'Done.',
    });
    expect(world.performed).toHaveLength(1);
    expect(world.types).toEqual([
      'run.queued',
      'run.started',
      'model.responded',
      'tool.permitted',
      'tool.started',
      'tool.succeeded',
      'model.responded',
      'run.finished',
    ]);
    expect(results(world)).toEqual(['{"done":"search_orders"}']);
  });

  test('an effect without a rule waits for a person, and runs once after the approval', async () => {
    const world = await waitingForApproval();
    expect(world.performed).toHaveLength(0);
    world.decide('approve');
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'finished', status: 'completed' });
    expect(world.performed.map((invocation) => invocation.idempotencyKey)).toEqual([
      expect.stringMatching(/^eff_/),
    ]);
  });

  test('a rejected call never runs, and the same intent is refused without asking again', async () => {
    const again = reply({ calls: [call('refund_order', { orderId: 3, amount: '9.00' }, 'call_2')] });
    const world = await waitingForApproval({ replies: [refundReply, again, done] });
    world.decide('reject', 'Not damaged');
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'finished', status: 'completed' });
    expect(world.performed).toHaveLength(0);
    expect(world.types.filter((type) => type === 'approval.requested')).toHaveLength(1);
    expect(results(world)[0]).toContain('Not damaged');
    expect(results(world)[1]).toContain('already rejected');
  });

  test('one rejection in a mixed turn loses nothing of its siblings', async () => {
    const mixed = reply({
      calls: [call('search_orders', { orderId: 1 }, 'a'), call('refund_order', { orderId: 3 }, 'b')],
    });
    const world = await waitingForApproval({ replies: [mixed, done] });
    expect(world.performed.map(({ call: { tool: name } }) => name)).toEqual(['search_orders']);
    world.decide('reject');
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'completed' });
    expect(
      conversationOf(world.run, []).flatMap((item) => (item.role === 'tool' ? [item.callId] : [])),
    ).toEqual(['a', 'b']);
  });

  test('a decision is not put off because the clock of the worker is behind that of the decider', async () => {
    const world = await waitingForApproval();
    world.now += 5;
    world.decide('approve');
    world.now -= 5;
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'completed' });
    expect(world.types.filter((type) => type === 'run.waiting')).toHaveLength(1);
  });

  test('a policy that was tightened after the approval denies the call', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.governance = {
      ...world.governance,
      revision: 2,
      policy: {
        ...OPEN_POLICY,
        version: 1,
        rules: [rule({ tool: 'refund_*', action: 'deny', reason: 'closed' })],
      },
    };
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.status).toMatchObject({ status: 'completed' });
    expect(results(world)[0]).toContain('closed');
  });

  test('an approval that no longer suffices is cancelled and asked for again under a new id', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.governance = {
      ...world.governance,
      revision: 2,
      policy: { ...OPEN_POLICY, version: 1, rules: [rule({ action: 'require_approval', approvals: 2 })] },
    };
    await world.work();
    expect(world.run.status.name).toBe('waiting');
    const ids = world.events.flatMap(({ event }) =>
      event.type === 'approval.requested' ? [event.approvalId] : [],
    );
    expect(new Set(ids).size).toBe(2);
    expect(world.types).toContain('approval.cancelled');
  });

  test.each([
    ['has another role', new Map([['usr_1', 'viewer']])],
    ['has left', new Map()],
  ] as const)(
    'the signature of a member who %s before the call runs is asked for again',
    async (_, members) => {
      const world = await waitingForApproval();
      world.governance = { ...world.governance, members: new Map([['usr_1', 'reviewer']]) };
      world.decide('approve', null, { type: 'member', id: 'usr_1' });
      world.governance = { ...world.governance, revision: 2, members: new Map(members) };
      await world.work();
      expect(world.performed).toHaveLength(0);
      expect(world.run.status).toMatchObject({ name: 'waiting', on: { approvals: [expect.any(String)] } });
      expect(world.events.filter(({ event }) => event.type === 'approval.cancelled')).toMatchObject([
        { event: { reason: 'superseded' } },
      ]);
      world.decide('approve');
      await world.work();
      expect(world.performed).toHaveLength(1);
    },
  );

  test.each([
    ['reject', 'completed'],
    ['fail', 'failed'],
  ] as const)('an approval that expires with onExpiry %s ends the run %s', async (onExpiry, status) => {
    const world = new LoopWorld({ tools: [refund], replies: [refundReply, done] });
    world.governance = {
      ...world.governance,
      policy: { ...OPEN_POLICY, rules: [rule({ action: 'require_approval', ttlSeconds: 60, onExpiry })] },
    };
    await world.work();
    world.now += 60_000;
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.status).toMatchObject({ name: 'finished', status });
    expect(results(world)[0]).toContain('in time');
  });

  test('a second decision on the same approval changes nothing', async () => {
    const world = await waitingForApproval();
    world.decide('approve');
    world.decide('reject');
    await world.work();
    expect(world.performed).toHaveLength(1);
  });

  test('a budget that is spent ends the run before the model is called', async () => {
    const world = new LoopWorld({ replies: [done] });
    world.reservation = 'blocked_by_spending';
    await world.work();
    expect(world.asked).toHaveLength(0);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'budget_exceeded' } });
  });

  test('a budget that is only reserved makes the run wait, and it goes on by itself', async () => {
    const world = new LoopWorld({ replies: [done] });
    world.reservation = 'blocked_by_reservations';
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { why: 'budget_reserved' } });
    world.reservation = 'granted';
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('a run that never stops ends turn_limit, and the calls of the last permitted turn still run', async () => {
    const calls = Array.from({ length: 4 }, (_, n) =>
      reply({ calls: [call('search_orders', { orderId: n })] }),
    );
    const world = new LoopWorld({ tools: [read], limits: { maxTurns: 3 }, replies: calls });
    await world.work();
    expect(world.performed).toHaveLength(3);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'turn_limit' } });
  });

  test('a turn that exceeds maxToolCalls runs none of its calls', async () => {
    const world = new LoopWorld({
      tools: [read],
      limits: { maxToolCalls: 1 },
      replies: [
        reply({ calls: [call('search_orders', { orderId: 1 }), call('search_orders', { orderId: 2 })] }),
      ],
    });
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'tool_call_limit' } });
  });

  test('an equal read is answered from the record up to maxRepeats, then the run ends no_progress', async () => {
    const same = Array.from({ length: 4 }, () => reply({ calls: [call('search_orders', { orderId: 1 })] }));
    const world = new LoopWorld({ tools: [read], limits: { maxRepeats: 2 }, replies: same });
    await world.work();
    expect(world.performed).toHaveLength(1);
    expect(world.run.turns).toHaveLength(4);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'no_progress' } });
  });

  test('a reply that was cut off inside its arguments runs nothing and ends incomplete', async () => {
    const cut = reply({
      calls: [call('refund_order', '{"orderId": 3, "amo')],
      finish: { unified: 'max_tokens', raw: 'length' },
    });
    const world = new LoopWorld({ tools: [refund], replies: [cut] });
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'incomplete', reason: { code: 'max_tokens' } });
    expect(world.run.turns[0]?.calls[0]?.state.status).toBe('cancelled');
  });

  test('an unknown finish word ends the run model_error and runs nothing', async () => {
    const odd = reply({ calls: [call('search_orders', {})], finish: { unified: 'error', raw: '' } });
    const world = new LoopWorld({ tools: [read], replies: [odd] });
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'model_error' } });
  });

  test('usage that cannot be true is no usage: the reservation is settled, as an estimate', async () => {
    const usage = {
      inputTokens: 1e15,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 2,
      reasoningTokens: 0,
    };
    const world = new LoopWorld({ replies: [reply({ text: 'Done.', usage })] });
    await world.work();
    expect(world.run).toMatchObject({ estimated: true, costUsd: '0.010000', usage: { inputTokens: 0 } });
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'a call of %s is a call of an unknown tool',
    async (name) => {
      const world = new LoopWorld({ tools: [read], replies: [reply({ calls: [call(name, {})] }), done] });
      await world.work();
      expect(world.run.turns[0]?.calls[0]?.state).toMatchObject({ status: 'denied', code: 'tool_unknown' });
    },
  );

  test('an unknown tool is answered with the tools that there are', async () => {
    const world = new LoopWorld({
      tools: [read],
      replies: [reply({ calls: [call('delete_pod', {})] }), done],
    });
    await world.work();
    expect(results(world)).toEqual([expect.stringContaining('search_orders')]);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('after five denials in a row a person is asked about what would be allowed', async () => {
    const denied = Array.from({ length: 5 }, (_, n) =>
      reply({ calls: [call('refund_order', { orderId: n })] }),
    );
    const search = (orderId: number) => reply({ calls: [call('search_orders', { orderId })] });
    const world = new LoopWorld({
      tools: [read, refund],
      replies: [...denied, search(1), search(2), done],
    });
    world.governance = {
      ...world.governance,
      policy: { ...OPEN_POLICY, rules: [rule({ tool: 'refund_order', action: 'deny', reason: 'closed' })] },
    };
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(world.run.status.name).toBe('waiting');
    expect(world.events.at(-2)?.event).toMatchObject({ type: 'approval.requested', policyRule: 'handover' });
    world.decide('approve');
    await world.work();
    expect(world.run.status.name).toBe('waiting');
    expect(world.events.at(-2)?.event).toMatchObject({ type: 'approval.requested', policyRule: 'handover' });
  });
});
