import type { ModelEvent } from '../model/model-event.js';
import { conversationOf } from '../run/conversation.js';
import type { JsonText } from '../shared/brand.js';
import { call, reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read, results, rule } from '../testing/refund-world.js';
import type { ToolInvocation } from './ports.js';

const search = reply({ calls: [call('search_orders', { orderId: 1 })] });
const overflow: Extract<ModelEvent, { type: 'failure' }> = {
  type: 'failure',
  failure: {
    code: 'context_overflow',
    message: 'too long',
    status: 400,
    neverSent: false,
    retryAfterMs: null,
    usage: null,
  },
};

describe('the limits of a run', () => {
  test('tokens: the call that passed the limit is kept, the next one is not made', async () => {
    const world = new LoopWorld({ tools: [read], limits: { maxTokens: 12 }, replies: [search, done] });
    await world.work();
    expect(world.asked).toHaveLength(1);
    expect(world.performed).toHaveLength(1);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'token_limit' } });
  });

  test('tokens of every attempt count, once, whether it gave a reply or not', async () => {
    const usage = {
      inputTokens: 7,
      cachedInputTokens: 3,
      cacheWriteTokens: 0,
      outputTokens: 1,
      reasoningTokens: 0,
    };
    const broken = { ...overflow, failure: { ...overflow.failure, code: 'overloaded' as const, usage } };
    const world = new LoopWorld({ tools: [read], replies: [search, broken, done] });
    await world.work();
    expect(world.run).toMatchObject({
      modelCalls: 3,
      usage: { inputTokens: 27, cachedInputTokens: 3, outputTokens: 5 },
      costUsd: '0.003000',
      wasteUsd: '0.001000',
    });
  });

  test('deadline: counts running time alone, and what ran is recorded before the run ends', async () => {
    const ask = rule({ tool: 'search_orders', action: 'require_approval' });
    const world = new LoopWorld({
      tools: [read],
      agent: { policy: [ask] },
      limits: { deadlineSeconds: 10 },
      replies: [search, done],
    });
    await world.work();
    world.now += 3_600_000;
    world.decide('approve');
    world.during.execute = () => {
      world.now += 10_000;
    };
    await world.work();
    expect(results(world)).toEqual(['{"done":"search_orders"}']);
    expect(world.asked).toHaveLength(1);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'deadline_exceeded' } });
  });

  test('age: counts in every state, and a question to a person ends with the run', async () => {
    const ask = rule({ tool: 'search_orders', action: 'require_approval' });
    const world = new LoopWorld({
      tools: [read],
      agent: { policy: [ask] },
      limits: { maxAgeSeconds: 60 },
      replies: [search],
    });
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { until: 1_060_000 } });
    world.now += 60_000;
    await world.work();
    expect(world.types.slice(-3)).toEqual(['approval.cancelled', 'tool.cancelled', 'run.finished']);
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'max_age_exceeded' } });
  });

  test('a conversation too long for the model goes to the fallback, and ends incomplete where there is none', async () => {
    const models = ['small', 'large'].map((model) => ({ provider: 'scripted' as const, model }));
    const helped = new LoopWorld({ agent: { models }, replies: [overflow, done] });
    await helped.work();
    expect(helped.run.status).toMatchObject({ status: 'completed' });
    const alone = new LoopWorld({ replies: [overflow] });
    await alone.work();
    expect(alone.asked).toHaveLength(1);
    expect(alone.run.status).toMatchObject({ status: 'incomplete', reason: { code: 'context_overflow' } });
  });

  test('a request that a filter stopped ends the run as a filtered reply does, and no other model is asked', async () => {
    const filtered = { ...overflow, failure: { ...overflow.failure, code: 'refused' as const } };
    const models = ['first', 'second'].map((model) => ({ provider: 'scripted' as const, model }));
    const world = new LoopWorld({ tools: [read], agent: { models }, replies: [search, filtered, done] });
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'finished', status: 'refused', reason: null });
    expect(world.asked).toHaveLength(2);
  });
});

describe('a result', () => {
  const outputOf = async (output: string, resultMaxBytes = 16_384): Promise<string | undefined> => {
    const world = new LoopWorld({
      tools: [tool('search_orders', 'read', { resultMaxBytes })],
      replies: [search, done],
    });
    world.outcome = () => ({ type: 'succeeded', output: output as JsonText, attempts: 1 });
    await world.work();
    return results(world)[0];
  };

  test.each(['null', '""', '"  "', '"\\n"'])('of nothing (%s) is words, never empty', async (output) => {
    expect(await outputOf(output)).toBe('The tool ran and returned nothing.');
  });

  test('too long is cut between two characters, with a note of how much is missing', async () => {
    expect(await outputOf(JSON.stringify('ab😀😀'), 9)).toBe('ab😀\n[4 bytes were cut off here]');
    expect(await outputOf(JSON.stringify('ab😀😀'), 10)).toBe('ab😀😀');
  });

  test('of a failure is cut in the same way', async () => {
    const world = new LoopWorld({
      tools: [tool('search_orders', 'read', { resultMaxBytes: 4 })],
      replies: [search, done],
    });
    const more = { code: 'tool_refused', infrastructure: false, attempts: 1 };
    world.outcome = () => ({ type: 'failed', detail: 'no such order', ...more });
    await world.work();
    expect(results(world)).toEqual(['no s\n[9 bytes were cut off here]']);
  });
});

describe('calls of one turn', () => {
  /** Counts what runs at once, and lets everything that has begun end only when nothing more begins. */
  function watchOverlap(world: LoopWorld): { most: number; order: string[] } {
    const seen = { most: 0, order: [] as string[] };
    const usual = world.outcome;
    let running = 0;
    world.outcome = async (invocation: ToolInvocation) => {
      running += 1;
      seen.most = Math.max(seen.most, running);
      seen.order.push(String(invocation.call.providerCallId));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return usual(invocation);
    };
    return seen;
  }
  const callIds = (world: LoopWorld) =>
    conversationOf(world.run, []).flatMap((item) => (item.role === 'tool' ? [item.callId] : []));

  test('reads run side by side up to maxParallelToolCalls, and results stand in the order of the calls', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const calls = names.map((id, orderId) => call('search_orders', { orderId }, id));
    const world = new LoopWorld({
      tools: [read],
      limits: { maxParallelToolCalls: 2 },
      replies: [reply({ calls }), done],
    });
    const seen = watchOverlap(world);
    await world.work();
    expect(seen.most).toBe(2);
    expect(callIds(world)).toEqual(names);
  });

  test('writes run one after another, in their order, behind the reads', async () => {
    const write = tool('note', 'idempotent');
    const calls = [
      call('note', { orderId: 1 }, 'a'),
      call('search_orders', { orderId: 1 }, 'b'),
      call('note', { orderId: 2 }, 'c'),
      call('note', { orderId: 3 }, 'd'),
    ];
    const world = new LoopWorld({
      tools: [read, write],
      agent: { policy: [rule({})] },
      replies: [reply({ calls }), done],
    });
    const seen = watchOverlap(world);
    await world.work();
    expect(seen).toEqual({ most: 1, order: ['b', 'a', 'c', 'd'] });
    expect(callIds(world)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('one that fails, one that is denied and one that waits for a person lose nothing of the others', async () => {
    const calls = [
      call('search_orders', { orderId: 1 }, 'works'),
      call('search_orders', { orderId: 2 }, 'fails'),
      call('missing', {}, 'denied'),
      call('refund', { orderId: 3 }, 'waits'),
    ];
    const world = new LoopWorld({
      tools: [read, tool('refund', 'once')],
      replies: [reply({ calls }), done],
    });
    const usual = world.outcome;
    world.outcome = (invocation) =>
      invocation.call.providerCallId === 'fails'
        ? {
            type: 'failed',
            code: 'tool_refused',
            detail: 'No such order.',
            infrastructure: false,
            attempts: 1,
          }
        : usual(invocation);
    await world.work();
    expect(world.run.status.name).toBe('waiting');
    expect(world.asked).toHaveLength(1);
    world.decide('approve');
    await world.work();
    expect(callIds(world)).toEqual(['works', 'fails', 'denied', 'waits']);
    expect(results(world)).toEqual([
      '{"done":"search_orders"}',
      'No such order.',
      'There is no tool named "missing". The tools are: search_orders, refund.',
      '{"done":"refund"}',
    ]);
    expect(world.performed.filter(({ call: { providerCallId } }) => providerCallId === 'works')).toHaveLength(
      1,
    );
  });
});
