import { call, reply } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read, refund, results, waitingForApproval } from '../testing/refund-world.js';

const refundOf = (orderId: number, id: string) => call('refund_order', { orderId, amount: '10.00' }, id);
/** Decides on each open approval, in the order in which they were asked for. */
function decideAll(world: LoopWorld, decisions: readonly ('approve' | 'reject' | null)[]): void {
  const asked = world.events.flatMap(({ event }) => (event.type === 'approval.requested' ? [event] : []));
  for (const [index, decision] of decisions.entries()) {
    const request = asked[index];
    if (request === undefined || decision === null) continue;
    const { approvalId, toolCallId } = request;
    const by = { type: 'key', id: 'key_1' } as const;
    const told = { message: null, edited: null, notBefore: world.now };
    world.append({ type: 'approval.decided', approvalId, toolCallId, by, decision, ...told });
  }
}

describe('a question to a person', () => {
  test('is not asked about arguments that are no JSON', async () => {
    const broken = reply({ calls: [call('refund_order', '{"orderId": 3,')] });
    const world = new LoopWorld({ tools: [refund], replies: [broken, done] });
    await world.work();
    expect(world.types).not.toContain('approval.requested');
    expect(results(world)).toEqual([expect.stringMatching(/^The arguments are not valid: /)]);
  });

  test('that nobody has answered stays one question, however often the run is looked at', async () => {
    const world = await waitingForApproval();
    await world.work();
    await world.work();
    expect(world.types.filter((type) => type === 'approval.requested')).toHaveLength(1);
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { approvals: { length: 1 } } });
    expect(world.performed).toHaveLength(0);
  });

  test('answered with no words at all is a rejection all the same', async () => {
    const world = await waitingForApproval();
    world.decide('reject', '');
    await world.work();
    expect(results(world)).toEqual([
      'A person rejected this call. Nothing was run. Do not ask for the same again.',
    ]);
  });
});

describe('several questions of one turn', () => {
  const three = reply({ calls: [refundOf(1, 'a'), refundOf(2, 'b'), refundOf(3, 'c')] });
  const ran = (world: LoopWorld) => world.performed.map(({ call: { callId } }) => callId);

  test('are all asked at once, and answered together they run once each, in the order of the calls', async () => {
    const world = await waitingForApproval({ replies: [three, done] });
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { approvals: { length: 3 } } });
    decideAll(world, ['approve', 'approve', 'approve']);
    await world.work();
    expect(ran(world)).toEqual(['a', 'b', 'c']);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('are answered one by one: what may run runs at once, and the model is called when all are answered', async () => {
    const world = await waitingForApproval({ replies: [three, done] });
    decideAll(world, [null, 'approve']);
    await world.work();
    expect(ran(world)).toEqual(['b']);
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { approvals: { length: 2 } } });
    expect(world.asked).toHaveLength(1);
    decideAll(world, ['reject', null, 'approve']);
    await world.work();
    expect(ran(world)).toEqual(['b', 'c']);
    expect(world.asked).toHaveLength(2);
    expect(results(world)).toEqual([
      expect.stringContaining('A person rejected this call'),
      '{"done":"refund_order"}',
      '{"done":"refund_order"}',
    ]);
  });
});

describe('names of tools', () => {
  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'a tool that is called %s is asked about and run like any other',
    async (name) => {
      const world = await waitingForApproval({
        tools: [read, { ...refund, name }],
        replies: [reply({ calls: [call(name, { orderId: 3 }, 'a')] }), done],
      });
      world.decide('approve');
      await world.work();
      expect(world.performed.map(({ call: { tool } }) => tool)).toEqual([name]);
    },
  );
});
