import { type Database, openDatabase, readRows } from '../../apps/api/src/platform/database.js';
import { seededRandom } from '../support/random.js';
import { reply, reservation } from './events.js';
import { claim, commit, type Held, held, makeTenant, openWorld, start, type World } from './support.js';

let world: World;

beforeAll(async () => {
  world = await openWorld(20);
});
afterEach(() => world.clear());
afterAll(() => world.close());

const FINISHED = { type: 'run.finished', status: 'completed', reason: null, output: null } as const;

/** Queues so many runs of a tenant: one as it is posted, and copies of it. */
async function queue(tenant: string, count: number): Promise<void> {
  const { id } = await start(world, tenant);
  const copies = (table: string, key: string) =>
    world.database.query(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(r, jsonb_build_object('${key}', $1 || '_' || n))).*
       FROM ${table} AS r, generate_series(2, $2::int) AS n WHERE r.${key} = $1`,
      [id, count],
    );
  await copies('runs', 'id');
  await copies('run_events', 'run_id');
}

/** One model call of a held run, at this cost. */
async function step(at: Held, costUsd: string): Promise<Held> {
  const call = reservation(costUsd);
  const reserved = await commit(world, at, { reserve: call });
  const settle = { modelCallId: call.modelCallId, costUsd };
  const events = [reply(call.modelCallId, { costUsd, turn: at.run.turns.length + 1, text: 'Next.' })];
  const { outcome, run } = await commit(world, { ...at, run: reserved.run }, { events, settle });
  expect(outcome.type).toBe('committed');
  return { ...at, run };
}

it('forty workers never run more of a tenant than its ceiling, and leave nothing', async () => {
  await world.database.query(
    'ALTER TABLE tenant_schedule ADD CONSTRAINT within_ceiling CHECK (running BETWEEN 0 AND max_running)',
  );
  const ceilings = new Map<string, number>();
  for (const ceiling of [1, 3, 7]) {
    const tenant = await makeTenant(world, { maxConcurrentRuns: ceiling });
    ceilings.set(tenant, ceiling);
    await queue(tenant, 60);
  }
  const running = new Map<string, number>();
  let ended = 0;
  const worker = async (name: string): Promise<void> => {
    while (ended < 180) {
      const claimed = await world.claims.claim(name);
      if (claimed === null) continue;
      const { tenant } = claimed;
      running.set(tenant, (running.get(tenant) ?? 0) + 1);
      expect(running.get(tenant)).toBeLessThanOrEqual(ceilings.get(tenant) ?? 0);
      // Half of them are handed back first: a run at a step boundary is not running.
      const handsBack = claimed.events.length === 2 && ended % 2 === 0;
      running.set(tenant, (running.get(tenant) ?? 0) - 1);
      if (!handsBack) ended += 1;
      const event = handsBack ? ({ type: 'run.handed_back', reason: 'yielded' } as const) : FINISHED;
      await commit(world, held(claimed), { events: [event] });
    }
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => worker(`worker-${index}`)));
  expect(await world.claims.claim('worker-1')).toBeNull();
  await world.database.query('ALTER TABLE tenant_schedule DROP CONSTRAINT within_ceiling');
});

it('a run that comes after two thousand long ones of another tenant is the next to be claimed', async () => {
  const [greedy, patient] = [await makeTenant(world), await makeTenant(world)];
  await queue(greedy, 2_000);
  const slots: Held[] = [];
  for (let slot = 0; slot < 10; slot += 1) slots.push(await claim(world));
  for (const [slot, at] of slots.entries()) slots[slot] = await step(await step(at, '0.010000'), '0.010000');

  const late = await start(world, patient);
  await world.database.query(`UPDATE runs SET queued_at = now() - interval '2 s' WHERE id = $1`, [late.id]);
  const leases = slots.map(({ run, holder }) => ({ tenant: greedy, runId: run.id, fence: holder.fence }));
  const renewed = await world.leases.renew('worker-1', leases);
  expect([...renewed.values()].map((lease) => lease.yield)).toEqual(slots.map(() => true));

  const [first] = slots as [Held];
  await commit(world, first, { events: [{ type: 'run.handed_back', reason: 'yielded' }] });
  expect((await claim(world)).run.id).toBe(late.id);
});

it.each([
  ['dear', '0.010000'],
  ['free', '0.000000'],
])(
  '%s long runs of one tenant give one hand to each tenant that waits with nothing running',
  async (_what, costUsd) => {
    const [greedy, first, second] = [
      await makeTenant(world),
      await makeTenant(world),
      await makeTenant(world),
    ];
    await queue(greedy, 20);
    const slots: Held[] = [];
    for (let slot = 0; slot < 5; slot += 1) slots.push(await step(await claim(world), costUsd));
    const leases = slots.map(({ run, holder }) => ({ tenant: greedy, runId: run.id, fence: holder.fence }));
    const asked = () => world.leases.handsAsked(leases);
    expect(await asked()).toBeNull();

    await start(world, first);
    await start(world, second);
    const runs = expect.arrayContaining(leases.map(({ runId }) => runId));
    expect(await asked()).toEqual({ hands: 2, runs });
    await world.database.query('UPDATE tenant_schedule SET suspended = true WHERE tenant_id = $1', [second]);
    expect(await asked()).toEqual({ hands: 1, runs });

    const [handsOver] = slots as [Held];
    await commit(world, handsOver, { events: [{ type: 'run.handed_back', reason: 'yielded' }] });
    expect((await claim(world)).run.tenant).toBe(first);
    // What it has waiting besides is a matter of shares.
    await start(world, first);
    expect(await asked()).toBeNull();
  },
);

it('a claim for newcomers takes the run of a tenant that has nothing running, and no other', async () => {
  const [busy, fresh] = [await makeTenant(world), await makeTenant(world)];
  await queue(busy, 2);
  await claim(world);
  expect(await world.claims.claim('worker-1', 'newcomers')).toBeNull();
  const late = await start(world, fresh);
  await start(world, fresh);
  expect((await world.claims.claim('worker-1', 'newcomers'))?.runId).toBe(late.id);
  expect(await world.claims.claim('worker-1', 'newcomers')).toBeNull();
  expect(await world.claims.claim('worker-1')).not.toBeNull();
});

it('a tenant that has had more than its share waits, though it has nothing running', async () => {
  const [modest, spender] = [await makeTenant(world), await makeTenant(world)];
  await queue(modest, 3);
  const held = await claim(world);
  await start(world, spender);
  await world.database.query(
    'UPDATE tenant_schedule SET virtual_time = virtual_time + 1 WHERE tenant_id = $1',
    [spender],
  );
  const lease = { tenant: modest, runId: held.run.id, fence: held.holder.fence };
  expect(await world.leases.handsAsked([lease])).toEqual({ hands: 1, runs: [] });
});

it('a tenant whose steps are many and cheap gets no more than one whose steps are few and dear', async () => {
  const [many, few] = [await makeTenant(world), await makeTenant(world)];
  await Promise.all([queue(many, 100), queue(few, 100)]);
  const spent = new Map<string, number>();
  for (let turn = 0; turn < 40; turn += 1) {
    let at = await claim(world);
    const { tenant } = at.run;
    const costs = tenant === many ? Array.from({ length: 5 }, () => '0.001000') : ['0.010000'];
    for (const cost of costs) at = await step(at, cost);
    spent.set(tenant, (spent.get(tenant) ?? 0) + (tenant === many ? 5 : 10));
    await commit(world, at, { events: [FINISHED] });
  }
  // Forty turns end at most one run away from equal.
  expect(Math.abs((spent.get(many) ?? 0) - (spent.get(few) ?? 0))).toBeLessThanOrEqual(10);
});

it('weights of one and three share the cost as one and three, within a tenth, whatever a run costs', async () => {
  const [light, heavy] = [await makeTenant(world, { weight: 1 }), await makeTenant(world, { weight: 3 })];
  await Promise.all([queue(light, 400), queue(heavy, 400)]);
  const random = seededRandom(7);
  const spent = new Map<string, number>();
  let left = 400;
  const worker = async (name: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const at = held((await world.claims.claim(name)) ?? fail());
      const { tenant } = at.run;
      // The light one's runs cost five times as much: it is money that is shared, not turns.
      const cost = Math.round((0.5 + random()) * (tenant === light ? 5_000 : 1_000));
      const usd = `0.${String(cost).padStart(6, '0')}`;
      await commit(world, at, { events: [reply('mdl_1', { costUsd: usd }), FINISHED] });
      spent.set(tenant, (spent.get(tenant) ?? 0) + cost);
    }
  };
  await Promise.all(Array.from({ length: 4 }, (_, index) => worker(`worker-${index}`)));
  const share = (spent.get(heavy) ?? 0) / ((spent.get(heavy) ?? 0) + (spent.get(light) ?? 0));
  expect(share).toBeGreaterThan(0.75 * 0.9);
  expect(share).toBeLessThan(0.75 * 1.1);
});

it('a claim looks at about as many pages with a hundred thousand runs of a thousand tenants as with few of ten', async () => {
  // One connection: what it looks up once, for its plans, is not the claim's.
  const database = openDatabase({ url: world.database.appUrl, pooled: 1 });
  await tenantsWithRuns(10, 20);
  await pagesOfClaims(database);
  const few = await pagesOfClaims(database);
  await tenantsWithRuns(1_000, 100);
  await world.database.query('VACUUM ANALYZE runs, tenant_schedule');
  await pagesOfClaims(database);
  const many = await pagesOfClaims(database);
  await database.end();
  process.stdout.write(`pages of a claim: ${JSON.stringify({ few, many })}\n`);
  expect(many.median).toBeLessThan(few.median * 2);
});

/** Tenants with queued runs, written at once: nothing but what a claim looks at. */
async function tenantsWithRuns(tenants: number, runs: number): Promise<void> {
  const values = [tenants, `ten_${tenants}_`];
  await world.database.query(
    `INSERT INTO tenants (id, slug, name) SELECT $2 || n, $2 || n, 'Tenant' FROM generate_series(1, $1::int) AS n`,
    values,
  );
  await world.database.query(
    `INSERT INTO tenant_schedule (tenant_id, has_queued) SELECT $2 || n, true FROM generate_series(1, $1::int) AS n
     ON CONFLICT (tenant_id) DO UPDATE SET has_queued = true`,
    values,
  );
  await world.database.query(
    `INSERT INTO runs (tenant_id, id, agent_name, agent_version, operation_id, status, seq, running_ms_left, queued_at,
       created_at)
     SELECT $2 || n, 'run_' || $2 || n || '_' || r, 'a', 1, 'o', 'queued', 1, 0, now(), now()
     FROM generate_series(1, $1::int) AS n, generate_series(1, $3::int) AS r`,
    [...values, runs],
  );
}

/** The pages that each of fifty claims looks at, cached or not. */
async function pagesOfClaims(
  database: Database,
): Promise<{ readonly median: number; readonly worst: number }> {
  const pages: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT claim_run('worker', 30000, false)`;
    const [row] = await readRows<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(database, text);
    const plan = row?.['QUERY PLAN'][0].Plan ?? {};
    pages.push((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
  }
  pages.sort((a, b) => a - b);
  return { median: pages[25] ?? 0, worst: pages[49] ?? 0 };
}

function fail(): never {
  throw new Error('nothing to claim');
}
