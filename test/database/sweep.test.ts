import { foldRun } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantRead } from '../../apps/api/src/platform/transaction.js';
import { reply, reservation } from './events.js';
import { claim, commit, type Held, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  tenant = await makeTenant(world, { monthlyBudgetUsd: '100' });
});
afterEach(() => world.clear());
afterAll(() => world.close());

async function expire(runId: string): Promise<void> {
  await world.database.query(`UPDATE runs SET lease_expires_at = now() - interval '1 s' WHERE id = $1`, [
    runId,
  ]);
}

async function swept(limit: number) {
  return (await world.sweeps.sweep(limit)).swept;
}

async function lostInCall(amountUsd: string): Promise<Held> {
  await start(world, tenant);
  const at = await claim(world);
  const { run } = await commit(world, at, { reserve: reservation(amountUsd) });
  await expire(run.id);
  return { ...at, run };
}

async function folded(runId: string) {
  return foldRun({ id: runId, tenant }, await world.ledger.events(tenant, runId));
}

function rowOf(id: string) {
  const { prisma } = world;
  return tenantRead(
    prisma,
    tenant,
    prisma.run.findUniqueOrThrow({ where: { tenantId_id: { tenantId: tenant, id } } }),
  );
}

it('a run whose lease ran out is queued again, and its former worker can append no more', async () => {
  await start(world, tenant);
  const at = await claim(world);
  await expire(at.run.id);
  expect(await swept(10)).toEqual([{ tenant, runId: at.run.id, seq: 3, status: 'queued' }]);
  expect((await commit(world, at, { events: [reply(newId('mdl'))] })).outcome.type).toBe('lost');
  expect(await rowOf(at.run.id)).toMatchObject({
    status: 'queued',
    leaseOwner: null,
    deadlineAt: null,
    seq: 3,
  });
  const next = await claim(world, 'worker-2');
  expect(next.run).toMatchObject({ id: at.run.id, claimsWithoutProgress: 2 });
});

it('the call that a lost worker had under way is settled in full, as waste, exactly once', async () => {
  const { run } = await lostInCall('0.250000');
  const sweeps = await Promise.all([swept(10), swept(10), swept(10)]);
  expect(sweeps.flat()).toHaveLength(1);
  const after = await folded(run.id);
  expect(after).toMatchObject({ costUsd: '0.250000', wasteUsd: '0.250000', estimated: true, modelCalls: 1 });
  expect(after.failedAttempts).toMatchObject([{ code: 'worker_lost', retryable: true }]);
  const row = await rowOf(run.id);
  expect(row).toMatchObject({
    modelCalls: 1,
    estimated: true,
    reservedAt: null,
    openModelCall: null,
    seq: 4,
  });
  expect([row.costUsd.toFixed(), row.wasteUsd.toFixed(), row.reservedUsd.toFixed()]).toEqual([
    '0.25',
    '0.25',
    '0',
  ]);
  expect(await world.budgets.list(tenant)).toMatchObject([
    { spentUsd: '0.250000', reservedUsd: '0.000000', overrunUsd: '0.000000' },
  ]);
  const calls = await tenantRead(world.prisma, tenant, world.prisma.modelCall.findMany());
  expect(calls).toMatchObject([{ failure: 'worker_lost', provider: 'scripted', model: 'small', turn: null }]);
});

it('a late reply of a lost worker is not settled a second time', async () => {
  const at = await lostInCall('0.250000');
  await world.sweeps.sweep(10);
  const modelCallId = newId('mdl');
  const late = await commit(world, at, {
    events: [reply(modelCallId)],
    settle: { modelCallId, costUsd: '0.1' },
  });
  expect(late.outcome.type).toBe('lost');
  expect(await world.budgets.list(tenant)).toMatchObject([{ spentUsd: '0.250000' }]);
});

it('a run that waits is queued when its time has come, not before', async () => {
  await start(world, tenant);
  const at = await claim(world);
  const until = Date.now() + 60_000;
  const waiting = {
    type: 'run.waiting',
    approvals: [],
    toolResults: [],
    outcomes: [],
    until,
    why: 'intent_held',
  } as const;
  const { run } = await commit(world, at, { events: [waiting] });
  expect(await rowOf(run.id)).toMatchObject({ status: 'waiting', wakeAt: new Date(until), leaseOwner: null });
  expect(await swept(10)).toEqual([]);
  expect(await world.claims.claim('worker-1')).toBeNull();

  await world.database.query(`UPDATE runs SET wake_at = now() - interval '1 ms' WHERE id = $1`, [run.id]);
  expect(await swept(10)).toEqual([{ tenant, runId: run.id, seq: 4, status: 'queued' }]);
  expect(await world.sweeps.countQueued(10)).toBe(1);
  expect((await claim(world)).run).toMatchObject({ id: run.id, status: { name: 'running' } });
});

it('a sweep takes the runs of all tenants, up to its limit', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => makeTenant(world)));
  for (const other of others) {
    await start(world, other);
    await expire((await claim(world)).run.id);
  }
  expect(await swept(3)).toHaveLength(3);
  expect(await swept(10)).toHaveLength(2);
  expect(await world.sweeps.countQueued(3)).toBe(3);
});

it('a run that cannot be put back is said, and keeps no other from its turn', async () => {
  const other = await makeTenant(world);
  const ids: string[] = [];
  for (const each of [tenant, other, tenant, other]) {
    await start(world, each);
    const at = await claim(world);
    ids.push(at.run.id);
    await expire(at.run.id);
  }
  const [first = '', second = ''] = ids;
  const bad = [first, second].map((id) => `'${id}'`).join(', ');
  await world.database.query(
    `ALTER TABLE run_events ADD CONSTRAINT spoiled CHECK (run_id NOT IN (${bad}) OR type <> 'run.handed_back') NOT VALID`,
  );
  const sweep = await world.sweeps.sweep(10);
  expect(new Set(sweep.swept.map((run) => run.runId))).toEqual(new Set(ids.slice(2)));
  expect(new Set(sweep.passedOver.map((run) => run.runId))).toEqual(new Set([first, second]));
  expect(sweep.passedOver[0]?.why).toMatch(/^23514 .*spoiled/);

  await world.database.query('ALTER TABLE run_events DROP CONSTRAINT spoiled');
  expect(await swept(10)).toHaveLength(2);
});

it('a lost run of a tenant whose rules are being changed is passed over, and others are not', async () => {
  const held = await lostInCall('0.250000');
  const other = await makeTenant(world);
  await start(world, other);
  const free = await claim(world);
  await expire(free.run.id);
  await world.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(rules_lock(${tenant}))::text`;
    const sweep = await world.sweeps.sweep(10);
    expect(sweep.swept.map((run) => run.runId)).toEqual([free.run.id]);
    expect(sweep.passedOver.map((run) => run.runId)).toEqual([held.run.id]);
  });
  expect(await swept(10)).toHaveLength(1);
});

it('running time that a lost worker used still counts against the deadline', async () => {
  await start(world, tenant);
  const at = await claim(world);
  await world.database.query(`UPDATE runs SET deadline_at = deadline_at - interval '100 s' WHERE id = $1`, [
    at.run.id,
  ]);
  await expire(at.run.id);
  await world.sweeps.sweep(10);
  const left = (await rowOf(at.run.id)).runningMsLeft;
  expect(left).toBeGreaterThan(700_000);
  expect(left).toBeLessThanOrEqual(800_000);
});

it('idempotency keys are forgotten after a day', async () => {
  await world.database.query(
    `INSERT INTO idempotency_requests (tenant_id, route, key, request_digest, state, created_at)
     SELECT $1, 'r', 'k' || n, 'd', 'done', now() - n * interval '10 hours' FROM generate_series(1, 4) AS n`,
    [tenant],
  );
  expect(await world.sweeps.forgetIdempotencyKeys(100)).toBe(2);
});
