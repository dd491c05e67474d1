import { parseUsd } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantRead, tenantTx } from '../../apps/api/src/platform/transaction.js';
import { reply, reservation, succeeded } from './events.js';
import {
  claim,
  commit,
  type Held,
  intend,
  makeTenant,
  openWorld,
  patchTenant,
  start,
  type World,
} from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

async function running(): Promise<Held> {
  await start(world, tenant);
  return claim(world);
}

const said = () => reply(newId('mdl'), { text: 'Done.' });
const finished = { type: 'run.finished', status: 'completed', reason: null, output: 'Done.' } as const;

async function seqs(runId: string): Promise<number[]> {
  return (await world.ledger.events(tenant, runId)).map(({ seq }) => seq);
}

function rowOf(runId: string) {
  const { prisma } = world;
  return tenantRead(
    prisma,
    tenant,
    prisma.run.findUniqueOrThrow({ where: { tenantId_id: { tenantId: tenant, id: runId } } }),
  );
}

it('events are numbered without a gap, and come back as they were written', async () => {
  const at = await running();
  const { run } = await commit(world, at, {
    events: [said(), { type: 'run.ending', status: 'completed', reason: null }],
  });
  await commit(world, { ...at, run }, { events: [finished] });
  const events = await world.ledger.events(tenant, run.id);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(events.map(({ event }) => event.type)).toEqual([
    'run.queued',
    'run.started',
    'model.responded',
    'run.ending',
    'run.finished',
  ]);
  expect(events[4]?.event).toEqual(finished);
  expect(await world.ledger.eventsAfter(run, 4)).toEqual([events[4]]);
});

it('whoever appends after an outdated number is told that the run moved, and nothing is written', async () => {
  const at = await running();
  const [first, second] = await Promise.all([
    commit(world, at, { events: [said()] }),
    commit(world, at, { events: [said(), finished] }),
  ]);
  expect([first.outcome.type, second.outcome.type].sort()).toEqual(['committed', 'moved']);
  const numbers = await seqs(at.run.id);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

it('an append from outside needs no lease, and makes the worker look again', async () => {
  const at = await running();
  const cancel = { type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } } as const;
  const outside = await commit(world, { run: at.run, holder: null }, { events: [cancel] });
  expect(outside.outcome.type).toBe('committed');
  const worker = await commit(world, at, { events: [said()] });
  expect(worker.outcome).toEqual({ type: 'moved' });
  const row = await rowOf(at.run.id);
  expect(row).toMatchObject({ status: 'running', leaseOwner: 'worker-1' });
});

it('a lease that another worker has taken over is lost', async () => {
  const at = await running();
  const stale = { ...at, holder: { ...at.holder, fence: String(Number(at.holder.fence) - 1) } };
  expect((await commit(world, stale, { events: [said()] })).outcome).toEqual({ type: 'lost' });
  expect(await seqs(at.run.id)).toEqual([1, 2]);
});

it('a lease that has expired is lost, even where nobody has taken the run', async () => {
  const at = await running();
  await world.database.query(`UPDATE runs SET lease_expires_at = now() - interval '1 ms' WHERE id = $1`, [
    at.run.id,
  ]);
  expect((await commit(world, at, { events: [said()] })).outcome).toEqual({ type: 'lost' });
  expect((await world.leases.renew('worker-1', [lease(at)])).size).toBe(0);
});

function lease({ run, holder }: Held) {
  return { tenant: run.tenant, runId: run.id, fence: holder.fence };
}

it('a step renews the lease, and so does a heartbeat of its owner alone', async () => {
  const at = await running();
  const soon = `UPDATE runs SET lease_expires_at = now() + interval '5 s' WHERE id = $1`;
  const left = async () => ((await rowOf(at.run.id)).leaseExpiresAt?.getTime() ?? 0) - Date.now();
  await world.database.query(soon, [at.run.id]);
  await commit(world, at, { events: [said()] });
  expect(await left()).toBeGreaterThan(20_000);
  await world.database.query(soon, [at.run.id]);
  expect((await world.leases.renew('worker-2', [lease(at)])).size).toBe(0);
  expect(await left()).toBeLessThan(10_000);
  expect([...(await world.leases.renew('worker-1', [lease(at)])).keys()]).toEqual([at.run.id]);
  expect(await left()).toBeGreaterThan(20_000);
});

it('nothing is intended or reserved by rules that have changed', async () => {
  const at = await running();
  await tenantTx(world.prisma, tenant, (tx) =>
    tx.tenant.updateMany({ data: { revision: { increment: 1 } } }),
  );
  const intended = await intend(world, at, 'intent');
  expect(intended.outcome).toEqual({ type: 'governance_changed' });
  expect((await commit(world, at, { reserve: reservation('0.01') })).outcome.type).toBe('governance_changed');
  expect((await commit(world, at, { reserve: reservation('0.01'), revision: 2 })).outcome.type).toBe(
    'committed',
  );
});

it('a suspended tenant intends and reserves nothing, but what happened is still written', async () => {
  const at = await running();
  const call = reservation('0.01');
  const reserved = await commit(world, at, { reserve: call });
  await patchTenant(world, tenant, { suspended: true });
  const { revision, suspended } = await world.governance.current(tenant);
  expect(suspended).toBe(true);
  const settle = { modelCallId: call.modelCallId, costUsd: '0.002' };
  const facts = await commit(
    world,
    { ...at, run: reserved.run },
    { events: [reply(call.modelCallId)], settle, revision },
  );
  expect(facts.outcome.type).toBe('committed');
  const next = await commit(world, { ...at, run: facts.run }, { reserve: reservation('0.01'), revision });
  expect(next.outcome.type).toBe('governance_changed');
});

it('the rows of a run follow its events: status, counters, messages, calls', async () => {
  const { held, toolCallId } = await intend(world, await running(), 'refund 10');
  const done = await commit(world, held, { events: [succeeded(toolCallId)] });
  const last = await commit(
    world,
    { ...held, run: done.run },
    { events: [reply(newId('mdl'), { text: 'Done.', turn: 2 }), finished] },
  );
  const row = await rowOf(last.run.id);
  expect(row).toMatchObject({
    status: 'completed',
    output: '"Done."',
    turns: 2,
    modelCalls: 2,
    toolCalls: 1,
    toolsUsed: '["refund"]',
    messages: 4,
    inputTokens: 20,
    cachedInputTokens: 8,
    seq: 8,
    leaseOwner: null,
    leaseExpiresAt: null,
    deadlineAt: null,
    subjectId: 'customer-1',
  });
  expect(parseUsd(row.costUsd.toFixed())).toEqual({ units: 2n, scale: 3 });
  const [messages, calls, models] = await tenantTx(world.prisma, tenant, async (tx) => {
    const where = { tenantId: tenant, runId: last.run.id };
    return [
      await tx.message.findMany({ where, orderBy: [{ turn: 'asc' }, { position: 'asc' }] }),
      await tx.toolCall.findMany({ where }),
      await tx.modelCall.findMany({ where, orderBy: { id: 'asc' } }),
    ];
  });
  expect(messages.map(({ turn, position, role }) => [turn, position, role])).toEqual([
    [0, 0, 'user'],
    [1, 0, 'assistant'],
    [1, 1, 'tool'],
    [2, 0, 'assistant'],
  ]);
  expect(calls).toMatchObject([
    {
      status: 'succeeded',
      toolVersion: 3,
      effect: 'once',
      attempts: 1,
      result: '{"refunded":true}',
      error: null,
    },
  ]);
  expect(calls[0]?.startedAt).not.toBeNull();
  expect(JSON.parse(calls[0]?.revisions ?? '')).toEqual({
    adapter: 'adapter-1',
    sdk: 'sdk-1',
    handler: 'http:refund@3',
    policy: '1',
  });
  expect(models).toMatchObject([{ finish: 'tool_calls' }, { finish: 'stop', turn: 2 }]);
});
