import type { ModelFailure } from '../model/model-event.js';
import { call, reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read, results } from '../testing/refund-world.js';

const HELD_BACK =
  '"search_orders" kept failing, so it is not called for the time being. Nothing was run. ' +
  'Do not call it again now: go on with the other tools, or say what is missing.';
const MODELS = [
  { provider: 'scripted', model: 'first' },
  { provider: 'scripted', model: 'second' },
] as const;

const search = (orderId: number) => call('search_orders', { orderId });
const codes = ({ run }: LoopWorld) =>
  run.turns.flatMap(({ calls }) => calls.map(({ state }) => ('code' in state ? state.code : state.status)));
const tried = ({ events }: LoopWorld) =>
  events.flatMap(({ event }) =>
    event.type === 'model.failed' || event.type === 'model.responded' ? [event.model] : [],
  );

function failure(code: ModelFailure['code'] = 'overloaded') {
  const failed = { code, message: code, status: 503, neverSent: false, retryAfterMs: 1, usage: null };
  return { type: 'failure', failure: failed } as const;
}

describe('a tool whose breaker is open', () => {
  test('is not called: the model is told, other tools go on', async () => {
    const weather = tool('get_weather', 'read');
    const world = new LoopWorld({
      tools: [read, weather],
      replies: [reply({ calls: [search(1), call('get_weather', {})] }), done],
    });
    world.openTools.set('search_orders', world.now + 30_000);
    await world.work();
    expect(results(world)).toEqual([HELD_BACK, '{"done":"get_weather"}']);
    expect(codes(world)[0]).toBe('breaker_open');
    expect(world.performed.map(({ call: { tool: name } }) => name)).toEqual(['get_weather']);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('is called again once its time has come', async () => {
    const world = new LoopWorld({ tools: [read], replies: [reply({ calls: [search(1)] }), done] });
    world.openTools.set('search_orders', world.now);
    await world.work();
    expect(codes(world)).toEqual(['succeeded']);
  });

  test('denies an approved call at execution: the grant is given back, nothing is sent', async () => {
    const pay = tool('pay', 'once');
    const world = new LoopWorld({
      tools: [pay],
      replies: [reply({ calls: [call('pay', { orderId: 7 })] }), done],
    });
    await world.work();
    world.openTools.set('pay', world.now + 30_000);
    world.decide('approve');
    await world.work();
    expect(codes(world)).toEqual(['breaker_open']);
    expect(world.types).toEqual(expect.arrayContaining(['approval.cancelled', 'tool.denied']));
    expect(world.performed).toHaveLength(0);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('leaves a question to a person standing: by the answer it may be closed', async () => {
    const pay = tool('pay', 'once');
    const world = new LoopWorld({
      tools: [pay],
      replies: [reply({ calls: [call('pay', { orderId: 7 })] }), done],
    });
    await world.work();
    world.openTools.set('pay', world.now + 30_000);
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'waiting' });
    world.openTools.clear();
    world.decide('approve');
    await world.work();
    expect(codes(world)).toEqual(['succeeded']);
  });

  test('lets one call of a turn through as a probe; the rest is denied, and their checks are not asked', async () => {
    const checked = tool('search_orders', 'read', { check: { url: 'http://shop/check' } });
    const world = new LoopWorld({
      tools: [checked],
      replies: [reply({ calls: [search(1), search(2), search(3)] }), done],
    });
    let asked = 0;
    world.during.check = () => {
      asked += 1;
    };
    let probe: string | null = null;
    world.admit = (id) => {
      if (!id.startsWith('tcl_')) return null;
      probe ??= id;
      return id === probe ? null : world.now + 5_000;
    };
    await world.work();
    expect(codes(world)).toEqual(['succeeded', 'breaker_open', 'breaker_open']);
    expect([asked, world.performed.length]).toEqual([1, 1]);
  });
});

describe('a model whose breaker is open', () => {
  test('is passed over for the next one, and not counted as an attempt', async () => {
    const world = new LoopWorld({ agent: { models: MODELS }, replies: [done] });
    world.openModels.set('first', world.now + 30_000);
    await world.work();
    expect(tried(world)).toEqual(['second']);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('opens in the middle of the attempts at it: the next model is called at once', async () => {
    const world = new LoopWorld({ agent: { models: MODELS }, replies: [failure(), done] });
    world.report = (_model, failed) => (failed === null ? null : world.now + 30_000);
    await world.work();
    expect(tried(world)).toEqual(['first', 'second']);
  });

  test('is waited for where no other is left, until the first of them may be tried', async () => {
    const world = new LoopWorld({ agent: { models: MODELS }, replies: [done] });
    world.openModels.set('first', world.now + 60_000);
    world.openModels.set('second', world.now + 30_000);
    await world.work();
    expect(world.run.status).toMatchObject({
      name: 'waiting',
      on: { why: 'provider_unavailable', until: world.now + 30_000, approvals: [] },
    });
    expect(tried(world)).toEqual([]);
    world.now += 30_000;
    await world.work();
    expect(tried(world)).toEqual(['second']);
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('is waited for as often as it takes: neither waits nor probes in vain use up the attempts', async () => {
    const world = new LoopWorld({ replies: [...Array.from({ length: 7 }, () => failure()), done] });
    world.report = (_model, failed) => (failed === null ? null : world.now + 30_000);
    for (let round = 0; round < 7; round += 1) {
      await world.work();
      expect(world.run.status).toMatchObject({ name: 'waiting', on: { why: 'provider_unavailable' } });
      world.now += 30_000;
    }
    // Somebody else probes: nothing is sent.
    world.admit = () => world.now + 5_000;
    await world.work();
    expect(world.run.failedAttempts).toEqual([]);
    world.now += 5_000;
    world.admit = () => null;
    await world.work();
    expect(tried(world)).toHaveLength(8);
    expect(world.run.status).toMatchObject({ status: 'completed' });
    expect(world.run.claimsWithoutProgress).toBe(0);
  });

  test('is waited for even by the run whose last attempt opened it', async () => {
    const world = new LoopWorld({ replies: [failure(), failure(), failure()] });
    let failures = 0;
    world.report = () => {
      failures += 1;
      return failures < 3 ? null : world.now + 30_000;
    };
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { why: 'provider_unavailable' } });
  });

  test('is not waited for where it refused this very request: another attempt would change nothing', async () => {
    const world = new LoopWorld({ agent: { models: MODELS }, replies: [failure('bad_request')] });
    world.report = () => world.now + 30_000;
    world.openModels.set('second', world.now + 60_000);
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { until: world.now + 60_000 } });
    world.now += 60_000;
    world.openModels.clear();
    world.openModels.set('second', world.now + 60_000);
    await world.work();
    expect(tried(world)).toEqual(['first']);
  });

  test('keeps no run beyond its greatest age, and none that is cancelled', async () => {
    const world = new LoopWorld({ limits: { maxAgeSeconds: 10 }, replies: [] });
    world.openModels.set('script', world.now + 30_000);
    await world.work();
    expect(world.run.status).toMatchObject({ name: 'waiting', on: { until: 1_010_000 } });
    world.now = 1_010_000;
    await world.work();
    expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'max_age_exceeded' } });

    const other = new LoopWorld({ replies: [] });
    other.openModels.set('script', other.now + 30_000);
    await other.work();
    other.append({ type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } });
    await other.work();
    expect(other.run.status).toMatchObject({ status: 'cancelled' });
  });
});
