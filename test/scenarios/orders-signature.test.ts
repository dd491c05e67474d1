import type { Api } from '../support/client.js';
import { gate } from '../support/gate.js';
import {
  approvalOf,
  approve,
  callOf,
  decide,
  endOf,
  messagesOf,
  resultsOf,
  toolCallsOf,
} from '../support/runs.js';
import type { ApprovalView } from '../support/wire.js';
import { type OrdersWorld, openOrders, proposeRefund } from './orders-world.js';

const ARGUMENTS =
  '{"amount":"49.99","customer_id":"C-1001","orderId":1,"reason":"requested by the customer"}';

describe('orders: the signature under a refund', () => {
  let world: OrdersWorld;
  beforeEach(async () => {
    world = await openOrders();
  });
  afterEach(() => world.close());

  const startRefund = async (): Promise<string> => (await world.start('Please refund order 1.')).id;
  const tighten = (api: Api, rule: object) =>
    api.expect(200, api.put('/v1/policy', { rules: [{ tool: 'refund_order', ...rule }] }));

  test('approved: one refund under one key, and the model explains it', async () => {
    const runId = await startRefund();
    const approval = await approve(world.api, runId);
    expect(approval).toMatchObject({
      tool: 'refund_order',
      arguments: JSON.parse(ARGUMENTS),
      effect: 'once',
      money: { amount: '49.99', currency: 'USD' },
      facts: { ok: true, facts: { orderId: 1, status: 'shipped', total: '49.99', date: '2026-09-28' } },
      reason: 'A refund needs the signature of a person.',
      status: 'pending',
      requiredApprovals: 1,
    });
    const run = await endOf(world.api, runId, 'completed');
    const refund =
      '{"refundId":"refund-1","orderId":1,"amount":"49.99","reason":"requested by the customer"}';
    expect(await messagesOf(world.api, runId)).toEqual([
      { role: 'user', content: 'Please refund order 1.' },
      said('call_1', 'search_orders', '{"since":"2026-09-01"}'),
      heard('call_1', 'search_orders', allOrders()),
      said('call_2', 'draft_refund', '{"orderId":1,"reason":"requested by the customer"}'),
      heard('call_2', 'draft_refund', '{"orderId":1,"refundable":true,"amount":"49.99"}'),
      said('call_3', 'refund_order', '{"orderId":1,"amount":"49.99","reason":"requested by the customer"}'),
      heard('call_3', 'refund_order', refund),
      { role: 'assistant', content: 'Order 1 was refunded: $49.99.' },
    ]);
    expect(run.output).toBe('Order 1 was refunded: $49.99.');
    expect(world.database.allRefunds()).toHaveLength(1);
    const sent = world.tools.calls('refund_order');
    const { ids } = await callOf(world.api, runId, 'refund_order');
    expect(sent.map(({ idempotencyKey, signature }) => ({ idempotencyKey, signature }))).toEqual([
      { idempotencyKey: ids.idempotencyKey, signature: 'valid' },
    ]);
  });

  test('approved with a smaller amount: the edited call runs, the model is told, both intents are closed', async () => {
    const runId = await startRefund();
    const approval = await approvalOf(world.api, runId);
    const editedArguments = { ...(approval.arguments as object), amount: '20.00' };
    await world.api.expect(200, decide(world.api, approval, { decision: 'approve', editedArguments }));
    await endOf(world.api, runId, 'completed');

    const refund =
      '{"refundId":"refund-1","orderId":1,"amount":"20.00","reason":"requested by the customer"}';
    expect((await resultsOf(world.api, runId)).at(-1)).toBe(
      `A person changed the arguments before approving. What ran: ${ARGUMENTS.replace('49.99', '20.00')}. Its result: ${refund}`,
    );
    expect(world.database.allRefunds()).toMatchObject([{ orderId: 1, amount: '20.00' }]);

    world.model.play([proposeRefund('call_x', 1, '49.99'), { text: 'It is done already.' }]);
    const again = await world.start('Once more, please.', { agent: 'played' });
    await endOf(world.api, again.id, 'completed');
    expect(await callOf(world.api, again.id, 'refund_order')).toMatchObject({
      status: 'denied',
      error: { code: 'intent_already_done' },
    });
  });

  test('an edit of what names the intent is refused, and the request stays pending', async () => {
    const approval = await approvalOf(world.api, await startRefund());
    const editedArguments = { ...(approval.arguments as object), orderId: 2 };
    const refused = await decide(world.api, approval, { decision: 'approve', editedArguments });
    expect(refused.status).toBe(422);
    const now = await world.api.get<ApprovalView>(`/v1/approvals/${approval.id}`);
    expect(now.body.status).toBe('pending');
  });

  test('rejected with a message: the model reads it, and the same intent again is refused without asking', async () => {
    world.model.play([
      proposeRefund('call_1', 1, '49.99'),
      proposeRefund('call_2', 1, '10.00'),
      { text: 'It was refused.' },
    ]);
    const { id } = await world.start('Refund order 1.', { agent: 'played' });
    const approval = await approvalOf(world.api, id);
    const message = 'The parcel was delivered.';
    await world.api.expect(200, decide(world.api, approval, { decision: 'reject', message }));
    await endOf(world.api, id, 'completed');
    expect(await resultsOf(world.api, id)).toEqual([
      'A person rejected this call: The parcel was delivered. Nothing was run. Do not ask for the same again.',
      'A person has already rejected this in this run. Nothing was run and nobody was asked again.',
    ]);
    const requests = (await world.api.events(id)).filter((event) => event.type === 'approval.requested');
    expect(requests).toHaveLength(1);
    expect(world.database.allRefunds()).toEqual([]);
  });

  test('expired with onExpiry reject: the model is told and the run completes', async () => {
    await tighten(world.api, { action: 'require_approval', ttlSeconds: 1, onExpiry: 'reject' });
    const runId = await startRefund();
    await endOf(world.api, runId, 'completed');
    expect((await resultsOf(world.api, runId)).at(-1)).toBe(
      'Nobody decided on this call in time, so it was not run.',
    );
    expect(world.database.allRefunds()).toEqual([]);
  });

  test('expired with onExpiry fail: the run fails, and a decision afterwards comes too late', async () => {
    await tighten(world.api, { action: 'require_approval', ttlSeconds: 1, onExpiry: 'fail' });
    const runId = await startRefund();
    const approval = await approvalOf(world.api, runId);
    const run = await endOf(world.api, runId, 'failed');
    expect(run.statusReason?.code).toBe('approval_expired');
    const late = await decide(world.api, approval, { decision: 'approve' });
    expect(late).toMatchObject({ status: 409, body: { code: 'approval_expired' } });
    expect(world.database.allRefunds()).toEqual([]);
  });

  test('refunded meanwhile: the facts are asked again and stop the call', async () => {
    const runId = await startRefund();
    const approval = await approvalOf(world.api, runId);
    world.database.markRefunded(1);
    await world.api.expect(200, decide(world.api, approval, { decision: 'approve' }));
    await endOf(world.api, runId, 'completed');
    expect(await callOf(world.api, runId, 'refund_order')).toMatchObject({
      status: 'denied',
      error: { code: 'facts_changed' },
    });
    expect((await resultsOf(world.api, runId)).at(-1)).toBe(
      'The facts changed since the call was proposed: Order 1 has been refunded already. Nothing was run.',
    );
    expect(world.tools.calls('refund_order')).toEqual([]);
  });

  /** Approves, and changes the policy while the facts are asked for the last time. */
  const tightenBetween = async (rule: object): Promise<string> => {
    const runId = await startRefund();
    const approval = await approvalOf(world.api, runId);
    const asked = gate();
    const mayAnswer = gate();
    world.tools.onCheck('refund_order', async (request) => {
      asked.open();
      await mayAnswer.opened;
      return world.shop('/refund_order/check')(request);
    });
    await world.api.expect(200, decide(world.api, approval, { decision: 'approve' }));
    await asked.opened;
    await tighten(world.api, rule);
    mayAnswer.open();
    return runId;
  };

  test('policy tightened to deny after the approval: the call is denied', async () => {
    const runId = await tightenBetween({ action: 'deny', reason: 'refunds are closed today' });
    await endOf(world.api, runId, 'completed');
    expect((await resultsOf(world.api, runId)).at(-1)).toBe(
      'Denied by policy: refunds are closed today. Nothing was run. The same call will be denied again.',
    );
    expect(world.tools.calls('refund_order')).toEqual([]);
  });

  test('policy tightened to two approvals after one: the grant is cancelled and asked for anew', async () => {
    const runId = await tightenBetween({ action: 'require_approval', approvals: 2 });
    const again = await approvalOf(world.api, runId);
    expect(again).toMatchObject({ status: 'pending', requiredApprovals: 2, decisions: [] });
    const cancelled = await world.api.all<ApprovalView>('/v1/approvals?status=cancelled');
    expect(cancelled).toHaveLength(1);
    expect(cancelled[0]?.id).not.toBe(again.id);
    expect(world.tools.calls('refund_order')).toEqual([]);
  });

  test('two reviewers at once: one decision counts, the other is told of it', async () => {
    const runId = await startRefund();
    const approval = await approvalOf(world.api, runId);
    const { apiKey } = await world.api.expect(
      201,
      world.api.post<{ apiKey: string }>('/v1/keys', { name: 'second', scopes: ['approvals:decide'] }),
    );
    const answers = await Promise.all([
      decide(world.api, approval, { decision: 'approve' }),
      decide(world.api.withKey(apiKey), approval, { decision: 'approve' }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const loser = answers.find((answer) => answer.status === 409);
    expect(loser?.body).toMatchObject({ code: 'already_decided' });
    await endOf(world.api, runId, 'completed');
    expect(world.database.allRefunds()).toHaveLength(1);
  });

  test('cancelled while waiting: the approval is cancelled with the run, and every call has a result', async () => {
    const runId = await startRefund();
    const approval = await approvalOf(world.api, runId);
    await world.api.expect(202, world.api.post(`/v1/runs/${runId}/cancel`, {}));
    const run = await endOf(world.api, runId, 'cancelled');
    expect(run.statusReason).toBeNull();
    const late = await decide(world.api, approval, { decision: 'approve' });
    expect(late).toMatchObject({ status: 409, body: { code: 'approval_cancelled' } });
    expect((await toolCallsOf(world.api, runId)).at(-1)).toMatchObject({ status: 'cancelled' });
    expect((await resultsOf(world.api, runId)).at(-1)).toBe(
      'The run was ended before this call was run. Nothing was run.',
    );
    expect(world.database.allRefunds()).toEqual([]);
  });
});

function said(callId: string, tool: string, args: string) {
  return { role: 'assistant', content: '', calls: [{ callId, tool, arguments: args }] };
}

function heard(callId: string, tool: string, content: string) {
  return { role: 'tool', callId, tool, isError: false, content };
}

function allOrders(): string {
  return (
    '{"orders":[{"orderId":3,"status":"refunded","total":"129.00","date":"2026-10-20"},' +
    '{"orderId":2,"status":"refunded","total":"19.99","date":"2026-10-03"},' +
    '{"orderId":1,"status":"shipped","total":"49.99","date":"2026-09-28"}]}'
  );
}
