import { gate } from '../support/gate.js';
import { approve, callOf, endOf, resultsOf, toolCallsOf } from '../support/runs.js';
import type { ToolHandler } from '../support/tool-server.js';
import type { OutcomeView } from '../support/wire.js';
import { type OrdersWorld, openOrders, proposeRefund, type WorldOptions } from './orders-world.js';

const REFUND = '{"refundId":"refund-1","orderId":1,"amount":"49.99","reason":"requested by the customer"}';
const SHORT = { timeoutMs: 300 };

describe('orders: a refund whose outcome is in doubt', () => {
  let world: OrdersWorld;
  const open = async (options: WorldOptions): Promise<OrdersWorld> => {
    world = await openOrders(options);
    return world;
  };
  afterEach(() => world.close());

  /** The shop makes the refund and the answer never comes. */
  const acceptsAndHangs =
    (until: Promise<unknown> = new Promise(() => {})): ToolHandler =>
    (request) => {
      void world.shop('/refund_order')(request);
      return { hang: until };
    };

  /** The first request hangs without an effect; later ones are answered as ever. */
  const losesTheFirst = (): ToolHandler => {
    let seen = 0;
    return (request) => {
      seen += 1;
      return seen === 1 ? { hang: new Promise(() => {}) } : world.shop('/refund_order')(request);
    };
  };

  const startAndApprove = async (): Promise<string> => {
    const { id } = await world.start('Please refund order 1.');
    await approve(world.api, id);
    return id;
  };

  /** Waits until people are asked, and answers the card. */
  const outcomeOf = async (runId: string): Promise<OutcomeView> => {
    await world.api.waitFor(runId, (run) => (run.waitingOn?.outcomes.length ?? 0) > 0);
    const pending = await world.api.all<OutcomeView>('/v1/outcomes?status=pending');
    const card = pending.find((outcome) => outcome.runId === runId);
    if (card === undefined) throw new Error('no card among the pending outcomes');
    return card;
  };
  const settle = (card: OutcomeView, body: object) =>
    world.api.post(`/v1/runs/${card.runId}/tool-calls/${card.toolCallId}/outcome`, body);

  test('time-out after the shop accepted: reconcile finds the refund, and it is made once', async () => {
    await open({ refundTool: SHORT });
    world.tools.on('refund_order', acceptsAndHangs());
    const runId = await startAndApprove();
    await endOf(world.api, runId, 'completed');
    expect((await resultsOf(world.api, runId)).at(-1)).toBe(REFUND);
    const types = (await world.api.events(runId)).map((event) => event.type);
    expect(types.filter((type) => /^tool\.(unknown|settled)$/.test(type))).toEqual([
      'tool.unknown',
      'tool.settled',
    ]);
    expect(world.tools.calls('refund_order')).toHaveLength(1);
    expect(world.tools.calls('refund_order', 'reconcile')).toMatchObject([{ signature: 'valid' }]);
    expect(world.database.allRefunds()).toHaveLength(1);
  });

  test('time-out before the shop did anything: reconcile frees one more try with the same key', async () => {
    await open({ refundTool: SHORT });
    world.tools.on('refund_order', losesTheFirst());
    const runId = await startAndApprove();
    await endOf(world.api, runId, 'completed');
    const keys = world.tools.calls('refund_order').map((request) => request.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(world.database.allRefunds()).toHaveLength(1);
  });

  describe('without reconcile a person is asked', () => {
    const NOBODY_TO_ASK = { refundTool: { ...SHORT, reconcile: null } };

    test('who says that it happened, and what came of it', async () => {
      await open(NOBODY_TO_ASK);
      world.tools.on('refund_order', acceptsAndHangs());
      const runId = await startAndApprove();
      const card = await outcomeOf(runId);
      expect(card).toMatchObject({ tool: 'refund_order', status: 'pending' });
      await world.api.expect(200, settle(card, { happened: true, output: JSON.parse(REFUND) }));
      const run = await endOf(world.api, runId, 'completed');
      expect(run.output).toBe('Order 1 was refunded: $49.99.');
      expect(world.tools.calls('refund_order')).toHaveLength(1);
    });

    test('who says that it did not: one more try with the same key', async () => {
      await open(NOBODY_TO_ASK);
      world.tools.on('refund_order', losesTheFirst());
      const runId = await startAndApprove();
      await world.api.expect(200, settle(await outcomeOf(runId), { happened: false }));
      await endOf(world.api, runId, 'completed');
      const keys = world.tools.calls('refund_order').map((request) => request.idempotencyKey);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      expect(world.database.allRefunds()).toHaveLength(1);
    });

    test('who never answers: the run fails outcome_unknown, and a late answer still settles the intent', async () => {
      await open({ ...NOBODY_TO_ASK, agent: { limits: { approvalTtlSeconds: 2 } } });
      world.tools.on('refund_order', acceptsAndHangs());
      world.model.play(() => proposeRefund('call_1', 1, '49.99'));
      const { id } = await world.start('Refund order 1.', { agent: 'played' });
      await approve(world.api, id);
      const card = await outcomeOf(id);
      const run = await endOf(world.api, id, 'failed');
      expect(run.statusReason?.code).toBe('outcome_unknown');
      const output = { refundId: 'refund-1', orderId: 1, amount: '49.99' };
      await world.api.expect(200, settle(card, { happened: true, output }));

      world.model.play([proposeRefund('call_1', 1, '49.99'), { text: 'Refunded.' }]);
      const later = await world.start('Refund order 1.', { agent: 'played' });
      await endOf(world.api, later.id, 'completed');
      expect(await callOf(world.api, later.id, 'refund_order')).toMatchObject({
        status: 'succeeded',
        replayOf: card.toolCallId,
        result: output,
      });
      expect(world.tools.calls('refund_order')).toHaveLength(1);
    });
  });

  test('cancelled while the effect is in doubt: it is settled first, then the run is cancelled', async () => {
    await open({});
    const accepted = gate();
    const broken = gate();
    world.tools.on('refund_order', (request) => {
      const ending = acceptsAndHangs(broken.opened)(request);
      accepted.open();
      return ending;
    });
    const runId = await startAndApprove();
    await accepted.opened;
    await world.api.expect(202, world.api.post(`/v1/runs/${runId}/cancel`, {}));
    broken.open();
    await endOf(world.api, runId, 'cancelled');
    expect(await callOf(world.api, runId, 'refund_order')).toMatchObject({ status: 'succeeded' });
    const types = (await world.api.events(runId)).map((event) => event.type);
    expect(types.indexOf('tool.settled')).toBeLessThan(types.indexOf('run.finished'));
    expect(types.indexOf('run.cancel_requested')).toBeLessThan(types.indexOf('tool.settled'));
    expect(world.database.allRefunds()).toHaveLength(1);
  });

  describe('proposed again under a new call id', () => {
    test('in the same run: the recorded result, and another amount is denied', async () => {
      await open({});
      world.model.play([
        proposeRefund('call_1', 1, '49.99'),
        proposeRefund('call_2', 1, '49.99'),
        proposeRefund('call_3', 1, '10.00'),
        { text: 'Refunded once.' },
      ]);
      const { id } = await world.start('Refund order 1, and again.', { agent: 'played' });
      await approve(world.api, id);
      await endOf(world.api, id, 'completed');
      const [first, second, third] = await toolCallsOf(world.api, id);
      expect(second).toMatchObject({ status: 'succeeded', replayOf: first?.id, result: first?.result });
      expect(third).toMatchObject({ status: 'denied', error: { code: 'intent_already_done' } });
      expect(world.database.allRefunds()).toHaveLength(1);
      expect(world.tools.calls('refund_order')).toHaveLength(1);
    });

    test('in a later run: the recorded result without a second signature, and another amount is denied', async () => {
      await open({});
      world.model.play([proposeRefund('call_1', 1, '49.99'), { text: 'Refunded.' }]);
      const first = await world.start('Refund order 1.', { agent: 'played' });
      await approve(world.api, first.id);
      await endOf(world.api, first.id, 'completed');
      const original = await callOf(world.api, first.id, 'refund_order');

      world.model.play([proposeRefund('call_1', 1, '49.99'), { text: 'Refunded.' }]);
      const same = await world.start('Refund order 1.', { agent: 'played' });
      await endOf(world.api, same.id, 'completed');
      expect(await callOf(world.api, same.id, 'refund_order')).toMatchObject({ replayOf: original.id });

      world.model.play([proposeRefund('call_1', 1, '10.00'), { text: 'Not again.' }]);
      const other = await world.start('Refund order 1.', { agent: 'played' });
      await endOf(world.api, other.id, 'completed');
      expect(await callOf(world.api, other.id, 'refund_order')).toMatchObject({
        status: 'denied',
        error: { code: 'intent_already_done' },
      });
      expect(await resultsOf(world.api, other.id)).toEqual([
        'This was already done with other arguments, and is not done a second time. Nothing was run.',
      ]);
      expect(world.database.allRefunds()).toHaveLength(1);
    });
  });
});
