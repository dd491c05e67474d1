import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import { approvalOf, approve, callOf, decide, endOf, resultsOf } from '../support/runs.js';
import type { ApprovalView } from '../support/wire.js';
import { type OrdersWorld, openOrders, proposeRefund } from './orders-world.js';

describe('orders: what must not be taken for one another', () => {
  let world: OrdersWorld;
  beforeEach(async () => {
    world = await openOrders();
  });
  afterEach(() => world.close());

  test('two runs whose calls have the same id of the provider have approvals of their own', async () => {
    const start = async (orderId: number) => {
      world.model.play([proposeRefund('call_1', orderId, '10.00'), { text: 'Refunded.' }]);
      const { id } = await world.start(`Refund order ${orderId}.`, { agent: 'played' });
      return { id, approval: await approvalOf(world.api, id) };
    };
    const other = world.database.place({ customerId: 'C-1001', total: '80.00', date: '2026-10-22' });
    const first = await start(1);
    const second = await start(other.orderId);
    expect(second.approval.id).not.toBe(first.approval.id);

    world.model.play(() => ({ text: 'Refunded.' }));
    await world.api.expect(200, decide(world.api, first.approval, { decision: 'approve' }));
    await endOf(world.api, first.id, 'completed');
    const still = await world.api.get<ApprovalView>(`/v1/approvals/${second.approval.id}`);
    expect(still.body.status).toBe('pending');
    expect(world.database.allRefunds()).toMatchObject([{ orderId: 1 }]);
    // The digest of the one is no key to the other.
    const mixed = { ...second.approval, argumentsDigest: first.approval.argumentsDigest };
    expect(await decide(world.api, mixed, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { code: 'digest_mismatch' },
    });
  });

  test('a tool that is changed while a person is asked: the run goes on with the tool that it began with', async () => {
    world.model.play([proposeRefund('call_1', 1, '49.99'), { text: 'Refunded.' }]);
    const { id } = await world.start('Refund order 1.', { agent: 'played' });
    await approvalOf(world.api, id);
    const { name: _, ...next } = await world.api.expect(
      200,
      world.api.get<{ name: string; [field: string]: unknown }>('/v1/tools/refund_order'),
    );
    const { description, parameters, effect, inject, intent } = next;
    const elsewhere = { type: 'http', url: world.tools.urlOf('refund_elsewhere') };
    const changed = { description, parameters, effect, inject, intent, executor: elsewhere };
    await world.api.expect(200, world.api.put('/v1/tools/refund_order', changed));
    await approve(world.api, id);
    await endOf(world.api, id, 'completed');
    expect(world.tools.calls('refund_elsewhere')).toEqual([]);
    expect(await callOf(world.api, id, 'refund_order')).toMatchObject({
      status: 'succeeded',
      toolVersion: 1,
    });
  });

  test('a word of people on an approval, or a call, that does not exist is not found', async () => {
    world.model.play([proposeRefund('call_1', 1, '49.99')]);
    const { id } = await world.start('Refund order 1.', { agent: 'played' });
    const approval = await approvalOf(world.api, id);
    const unknown = { ...approval, id: `apr_${'0'.repeat(26)}` };
    expect((await decide(world.api, unknown, { decision: 'approve' })).status).toBe(404);
    const forged = await world.api.post(`/v1/approvals/${approval.id}/decision`, {
      decision: 'approve',
      argumentsDigest: approval.argumentsDigest,
      approved: true,
    });
    expect(forged.status).toBe(422);
    expect(world.database.allRefunds()).toEqual([]);
  });
});

describe('orders: tools with the names of what every object has', () => {
  test.each(['constructor', 'toString', '__proto__'])(
    '%s is asked about and run like any other',
    async (name) => {
      const world = await openOrders();
      await createTool(world.api, world.tools, { name, effect: 'once' });
      world.tools.on(name, () => ({ status: 200, body: { ran: name } }));
      await createAgent(world.api, { model: testModel(world.model), tools: [name] });
      world.model.play([{ calls: [{ id: 'call_1', tool: name, arguments: {} }] }, { text: 'Done.' }]);
      const { id } = await startRun(world.api);
      expect((await approve(world.api, id)).tool).toBe(name);
      await endOf(world.api, id, 'completed');
      expect(await resultsOf(world.api, id)).toEqual([JSON.stringify({ ran: name })]);
      expect(await callOf(world.api, id, name)).toMatchObject({ status: 'succeeded', toolVersion: 1 });
      await world.close();
    },
  );
});
