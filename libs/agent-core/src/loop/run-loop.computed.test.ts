import { call, OPEN_POLICY, reply } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { convert, done, read, results, rule } from '../testing/refund-world.js';

const conversion = call('convert', { orderId: 3 }, 'a');
const search = call('search_orders', { orderId: 3 }, 'b');

function world(...calls: readonly ReturnType<typeof call>[]): LoopWorld {
  return new LoopWorld({ tools: [convert, read], replies: [reply({ calls }), done] });
}

/** What happens while the model call after the first round is prepared, when its read is computed and not committed. */
function beforeSecondCall(one: LoopWorld, happens: () => void): void {
  one.during.prepare = () => {
    if (one.computed.length === 1 && one.asked.length === 1) happens();
  };
}

describe('a read that the worker computes', () => {
  test('is durable together with the reply that asked for it and the next reservation: one commit a round', async () => {
    const one = world(conversion);
    await one.work();
    expect(one.commits).toEqual([
      [],
      ['model.responded', 'tool.permitted', 'tool.started', 'tool.succeeded'],
      ['model.responded', 'run.finished'],
    ]);
    expect(results(one)).toEqual(['{"orderId":3}']);
    expect(one.performed).toHaveLength(0);
  });

  test('is forgotten with its permission when the rules change before both are durable', async () => {
    const one = world(conversion);
    beforeSecondCall(one, () => {
      const rules = [rule({ tool: 'convert', action: 'deny', reason: 'closed' })];
      one.governance = { ...one.governance, revision: 2, policy: { ...OPEN_POLICY, version: 1, rules } };
    });
    await one.work();
    expect(one.types).not.toContain('tool.permitted');
    expect(one.types).not.toContain('tool.succeeded');
    expect(results(one)).toEqual([expect.stringContaining('closed')]);
    expect(one.run.modelCalls).toBe(2);
  });

  test('is forgotten when the run is cancelled before it is durable; the reply that was paid for is kept', async () => {
    const one = world(conversion);
    beforeSecondCall(one, () =>
      one.append({ type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } }),
    );
    await one.work();
    expect(one.types).not.toContain('tool.started');
    expect(one.run).toMatchObject({ status: { status: 'cancelled' }, modelCalls: 1 });
  });

  test('leaves nothing in doubt when the worker is lost before it is durable', async () => {
    const one = world(conversion);
    beforeSecondCall(one, () => {
      one.killAt = 'before_reserve';
    });
    expect(await one.work()).toBe('killed');
    expect(one.types).toEqual(['run.queued', 'run.started']);
  });

  test('waits for the commit where a call beside it reaches outside', async () => {
    const one = world(conversion, search);
    await one.work();
    expect(one.commits[1]).toEqual([
      'model.responded',
      'tool.permitted',
      'tool.permitted',
      'tool.started',
      'tool.started',
    ]);
    expect(one.run.status).toMatchObject({ status: 'completed' });
    expect(results(one)).toHaveLength(2);
  });
});

test('a read that reaches outside is permitted and started durably before it is sent', async () => {
  const one = world(search);
  one.during.execute = () => expect(one.types.at(-1)).toBe('tool.started');
  await one.work();
  expect(one.performed).toHaveLength(1);
  expect(one.run.status).toMatchObject({ status: 'completed' });
});
