import { tenantTx } from '../../apps/api/src/platform/transaction.js';
import { reply, reservation } from './events.js';
import { claim, commit, held, makeTenant, openWorld, patchTenant, start, type World } from './support.js';

let world: World;

beforeAll(async () => {
  world = await openWorld(20);
});
afterEach(() => world.clear());
afterAll(() => world.close());

const FINISHED = { type: 'run.finished', status: 'completed', reason: null, output: null } as const;

/** Claims and ends runs, one after another, until nothing is left; gives the tenants in the order of their turns. */
async function drain(costUsd = '0.000000'): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const claimed = await world.claims.claim('worker-1');
    if (claimed === null) return order;
    order.push(claimed.tenant);
    const events = [reply(`mdl_${order.length}`, { costUsd }), FINISHED];
    await commit(world, held(claimed), { events });
  }
}

async function startMany(tenant: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await start(world, tenant);
}

it('twenty workers at once never get one run twice, and get every run', async () => {
  const tenants = [await makeTenant(world), await makeTenant(world), await makeTenant(world)];
  await Promise.all(tenants.map((tenant) => startMany(tenant, 40)));
  const claimed: string[] = [];
  const worker = async (name: string): Promise<void> => {
    for (;;) {
      const next = await world.claims.claim(name);
      if (next === null) return;
      claimed.push(next.runId);
      await commit(world, held(next), { events: [FINISHED] });
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => worker(`worker-${index}`)));
  expect(claimed).toHaveLength(120);
  expect(new Set(claimed).size).toBe(120);
});

it('runs that start while workers claim are all claimed: none is overlooked when the queue runs empty', async () => {
  const tenants = [await makeTenant(world), await makeTenant(world)];
  let starting = true;
  let claims = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const last = !starting;
      const next = await world.claims.claim('worker');
      if (next === null && last) return;
      if (next === null) continue;
      claims += 1;
      await commit(world, held(next), { events: [FINISHED] });
    }
  };
  const workers = Promise.all([worker(), worker(), worker(), worker()]);
  await Promise.all(tenants.flatMap((tenant) => [startMany(tenant, 30), startMany(tenant, 30)]));
  starting = false;
  await workers;
  expect(claims).toBe(120);
  expect(await world.sweeps.countQueued(10)).toBe(0);
  const schedule = await world.database.query('SELECT DISTINCT running, has_queued FROM tenant_schedule');
  expect(schedule).toEqual([{ running: 0, has_queued: false }]);
});

it('a claim carries the whole history and says that it is the first, or a later one', async () => {
  const tenant = await makeTenant(world);
  const run = await start(world, tenant);
  const first = await claim(world);
  expect(first.run).toMatchObject({
    id: run.id,
    seq: 2,
    status: { name: 'running' },
    operationId: run.operationId,
  });
  await commit(world, first, { events: [{ type: 'run.handed_back', reason: 'yielded' }] });
  const again = await world.claims.claim('worker-2');
  expect(again?.agent).toEqual({ name: 'support', version: 1 });
  expect(again?.events.at(-1)?.event).toEqual({
    type: 'run.resumed',
    worker: 'worker-2',
    waitedMs: expect.any(Number),
  });
  expect(Number(again?.fence)).toBeGreaterThan(Number(first.holder.fence));
});

it('the oldest run of a tenant comes first', async () => {
  const tenant = await makeTenant(world);
  const runs = [await start(world, tenant), await start(world, tenant), await start(world, tenant)];
  for (const run of runs) expect((await claim(world)).run.id).toBe(run.id);
});

it('equal tenants take turns, whatever the length of their queues', async () => {
  const [long, short] = [await makeTenant(world), await makeTenant(world)];
  await startMany(long, 12);
  await startMany(short, 4);
  const order = await drain();
  const firstEight = order.slice(0, 8);
  expect(firstEight.filter((tenant) => tenant === short)).toHaveLength(4);
});

it('a weight of three gives three turns for one', async () => {
  const [heavy, light] = [await makeTenant(world, { weight: 3 }), await makeTenant(world)];
  await startMany(heavy, 15);
  await startMany(light, 15);
  const order = await drain();
  expect(order.slice(0, 12).filter((tenant) => tenant === heavy)).toHaveLength(9);
});

it('dear runs use up a share faster than cheap ones', async () => {
  const [dear, cheap] = [await makeTenant(world), await makeTenant(world)];
  await startMany(dear, 6);
  await startMany(cheap, 6);
  const order: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const next = await claim(world);
    order.push(next.run.tenant);
    const costUsd = next.run.tenant === dear ? '0.001000' : '0.000250';
    await commit(world, next, { events: [reply(`mdl_${turn}`, { costUsd }), FINISHED] });
  }
  expect(order.filter((tenant) => tenant === cheap)).toHaveLength(4);
});

it('a tenant that was idle does not catch up on time that it did not use', async () => {
  const [busy, idle] = [await makeTenant(world), await makeTenant(world)];
  await startMany(busy, 10);
  expect(await drain()).toHaveLength(10);
  await startMany(busy, 4);
  await startMany(idle, 4);
  const order = await drain();
  expect(order.slice(0, 4).filter((tenant) => tenant === busy)).toHaveLength(2);
});

it('a tenant never has more runs running than its ceiling', async () => {
  const tenant = await makeTenant(world, { maxConcurrentRuns: 3 });
  await startMany(tenant, 8);
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, index) => world.claims.claim(`worker-${index}`)),
  );
  const running = claims.filter((claimed) => claimed !== null);
  expect(running).toHaveLength(3);
  await commit(world, held(running[0] as NonNullable<(typeof claims)[0]>), { events: [FINISHED] });
  expect(await world.claims.claim('worker-9')).not.toBeNull();
  expect(await world.claims.claim('worker-9')).toBeNull();
});

it('a run that made room at the ceiling of its tenant says that another is queued; one of a tenant with room does not', async () => {
  const [narrow, wide] = [await makeTenant(world, { maxConcurrentRuns: 1 }), await makeTenant(world)];
  await startMany(narrow, 2);
  const first = await claim(world);
  expect(await world.claims.claim('worker-2')).toBeNull();
  expect((await commit(world, first, { events: [FINISHED] })).outcome).toMatchObject({ more: true });
  expect((await commit(world, await claim(world), { events: [FINISHED] })).outcome).toMatchObject({
    more: false,
  });
  await startMany(wide, 2);
  expect((await commit(world, await claim(world), { events: [FINISHED] })).outcome).toMatchObject({
    more: false,
  });
});

it('a claim says how long its run was queued, and leaves no tenant marked that has nothing left', async () => {
  const tenant = await makeTenant(world);
  await startMany(tenant, 2);
  const marked = async () =>
    world.database.query(`SELECT has_queued FROM tenant_schedule WHERE tenant_id = $1`, [tenant]);
  await world.database.query(`UPDATE runs SET queued_at = now() - interval '2 s' WHERE tenant_id = $1`, [
    tenant,
  ]);
  expect((await world.claims.claim('worker-1'))?.waited).toBeGreaterThanOrEqual(2_000);
  expect(await marked()).toEqual([{ has_queued: true }]);
  await world.claims.claim('worker-1');
  expect(await marked()).toEqual([{ has_queued: false }]);
});

it('a full or suspended tenant does not stand in the way of others', async () => {
  const full = await makeTenant(world, { maxConcurrentRuns: 1 });
  const suspended = await makeTenant(world);
  const other = await makeTenant(world);
  for (const tenant of [full, suspended, other]) await startMany(tenant, 2);
  await patchTenant(world, suspended, { suspended: true });
  const claimed = [await claim(world), await claim(world), await claim(world)].map(({ run }) => run.tenant);
  expect(claimed.sort()).toEqual([full, other, other].sort());
  expect(await world.claims.claim('worker-1')).toBeNull();
  await patchTenant(world, suspended, { suspended: false });
  expect((await claim(world)).run.tenant).toBe(suspended);
});

it('a heartbeat asks for a run back where another tenant is behind its share and has waited', async () => {
  const [greedy, patient] = [await makeTenant(world), await makeTenant(world)];
  await start(world, greedy);
  const at = await claim(world);
  const call = reservation('1.00');
  const reserved = await commit(world, at, { reserve: call });
  const settle = { modelCallId: call.modelCallId, costUsd: '1.00' };
  const { run } = await commit(
    world,
    { ...at, run: reserved.run },
    {
      events: [reply(call.modelCallId, { costUsd: '1.000000' })],
      settle,
    },
  );
  const lease = { tenant: greedy, runId: run.id, fence: at.holder.fence };
  const renewed = async () => (await world.leases.renew('worker-1', [lease])).get(run.id)?.yield;
  expect(await renewed()).toBe(false);
  await start(world, patient);
  await world.database.query(`UPDATE runs SET queued_at = now() - interval '2 s' WHERE tenant_id = $1`, [
    patient,
  ]);
  expect(await renewed()).toBe(true);
});

it('a tenant’s queue has an end', async () => {
  const tenant = await makeTenant(world);
  const run = await start(world, tenant);
  await world.database.query(
    `INSERT INTO runs (tenant_id, id, agent_name, agent_version, operation_id, status, seq, running_ms_left, queued_at, created_at)
     SELECT $1, 'run_' || n, 'a', 1, 'o', 'queued', 1, 0, now(), now() FROM generate_series(1, 9999) AS n`,
    [tenant],
  );
  const events = await world.ledger.events(tenant, run.id);
  const [created] = events;
  if (created === undefined) throw new Error('no creation');
  expect(await world.ledger.start({ ...run, id: 'run_one_more' }, created, null, 1)).toEqual({
    type: 'queue_full',
  });
});

it('a run that was made from versions of an older catalog is not written', async () => {
  const tenant = await makeTenant(world);
  const run = await start(world, tenant);
  const [created] = await world.ledger.events(tenant, run.id);
  if (created === undefined) throw new Error('no creation');
  const agent = { tenantId: tenant, id: 'agt_new', name: 'late', currentVersion: 1 };
  await tenantTx(world.prisma, tenant, (tx) => tx.agent.create({ data: agent }));
  const next = { ...run, id: 'run_next' };
  expect(await world.ledger.start(next, created, null, 1)).toEqual({ type: 'stale' });
  expect(await world.ledger.events(tenant, next.id)).toEqual([]);
  expect((await world.ledger.start(next, created, null, 2)).type).toBe('started');
});
