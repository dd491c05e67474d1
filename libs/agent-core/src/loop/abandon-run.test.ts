import { failed } from '../run/close-run.js';
import type { Digest, UsdText } from '../shared/brand.js';
import { tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, refundReply, settle, waitingForApproval } from '../testing/refund-world.js';
import type { ReservationRequest } from './ports.js';

const INTERNAL = failed('internal', 'A step can never be kept.');
const ABANDONED = { ending: INTERNAL, open: null };
const OPEN: ReservationRequest = {
  modelCallId: 'mdl_open',
  choice: 0,
  provider: 'scripted',
  api: 'scripted',
  model: 'script',
  requestDigest: 'sha256:0' as Digest,
  revision: { adapter: '1', sdk: 'none' },
  priceVersion: '1',
  startedAt: 1_000_000,
  amountUsd: '0.010000' as UsdText,
};

function claim(world: LoopWorld): void {
  world.append({ type: 'run.queued', reason: 'timer' });
  world.append({ type: 'run.resumed', worker: 'w', waitedMs: 0 });
}

/** A run whose refund was intended when its worker was lost; claimed again. */
async function inDoubt(effect: 'once' | 'idempotent' = 'once'): Promise<LoopWorld> {
  const world = await waitingForApproval({ tools: [tool('refund_order', effect)] });
  world.decide('approve');
  world.killAt = 'before_effect';
  await world.work();
  world.append({ type: 'run.handed_back', reason: 'lease_expired' });
  world.append({ type: 'run.resumed', worker: 'w', waitedMs: 0 });
  return world;
}

test('an abandoned run with nothing in doubt fails at once, and its open approval is cancelled', async () => {
  const world = await waitingForApproval();
  claim(world);
  await world.abandon(ABANDONED);
  expect(world.types.slice(-3)).toEqual(['approval.cancelled', 'tool.cancelled', 'run.finished']);
  expect(world.run.status).toMatchObject(INTERNAL);
});

test('the open reservation of an abandoned run is booked in full, as waste', async () => {
  const world = new LoopWorld({ replies: [done] });
  world.append({ type: 'run.started', worker: 'w', waitedMs: 0 });
  await world.abandon({ ending: INTERNAL, open: OPEN });
  expect(world.types.slice(-2)).toEqual(['model.failed', 'run.finished']);
  expect(world.run).toMatchObject({
    costUsd: '0.010000',
    wasteUsd: '0.010000',
    estimated: true,
    modelCalls: 1,
  });
});

test('an effect in doubt is asked for before an abandoned run ends, and is not sent again', async () => {
  const world = await inDoubt();
  await world.abandon(ABANDONED);
  const [call] = world.run.turns[0]?.calls ?? [];
  expect(world.run.status).toMatchObject({ name: 'waiting', on: { outcomes: [call?.id] } });
  world.now += world.run.limits.approvalTtlSeconds * 1000;
  await world.work();
  expect(world.run.status).toMatchObject({ status: 'failed', reason: { code: 'outcome_unknown' } });
  expect(world.performed).toHaveLength(0);
});

test('a call in doubt that may be repeated keeps an abandoned run from nothing', async () => {
  const world = await inDoubt('idempotent');
  await world.abandon(ABANDONED);
  expect(world.run.status).toMatchObject(INTERNAL);
  expect(world.performed).toHaveLength(0);
});

test('a cancellation that came before stands as the cause', async () => {
  const world = await inDoubt();
  world.append({ type: 'run.ending', status: 'cancelled', reason: null });
  await world.abandon(ABANDONED);
  settle(world, 'did_not_happen', 'It did not happen.');
  await world.work();
  expect(world.run.status).toMatchObject({ status: 'cancelled', reason: null });
});

test('a run that is not running any more is left as it is', async () => {
  const world = new LoopWorld({ replies: [refundReply] });
  const before = world.types;
  expect(await world.abandon(ABANDONED)).toMatchObject({ type: 'stopped' });
  expect(world.types).toEqual(before);
});
