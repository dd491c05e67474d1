import type { JsonText, RunEvent } from '@countersign/agent-core';
import fc from 'fast-check';
import { ReRatingRepository } from '../../apps/api/src/governance/re-rating.repository.js';
import {
  type MetricGroup,
  type MetricRange,
  MetricsRepository,
} from '../../apps/api/src/metrics/metrics.repository.js';
import { ARGUMENTS_DIGEST } from './events.js';
import { history, type Played, play } from './histories.js';
import { commit, type Held, makeTenant, openWorld, type World } from './support.js';

let world: World;
let metrics: MetricsRepository;

beforeAll(async () => {
  world = await openWorld();
  metrics = new MetricsRepository(world.connections);
});
afterAll(() => world.close());

const ever = { from: 0, to: Date.UTC(2100, 0) };

/** Every row of a tenant's rollups that came to something. */
function rollups(tenant: string) {
  return world.database.query(
    `SELECT measure, span, starts_at, first, second, third, fourth, count, trim_scale(cost_usd) AS cost, trim_scale(waste_usd) AS waste
     FROM metric_rollups WHERE tenant_id = $1 AND (count <> 0 OR cost_usd <> 0 OR waste_usd <> 0)
     ORDER BY measure, span, starts_at, first, second, third, fourth`,
    [tenant],
  );
}

/** What a full recount makes of the same runs. */
async function recounted(tenant: string) {
  await world.database.query(`SELECT recount_metrics($1, '-infinity', 'infinity')`, [tenant]);
  return rollups(tenant);
}

const MEASURES = ['model_call', 'subject', 'tool_cost', 'tool_call', 'run', 'approval', 'duration'] as const;
const KEYS = ['first', 'second', 'third', 'fourth'] as const;

/** Everything that is asked of metrics: always and for a time, by day and by hour, told apart as far as it can be. */
function answers(tenant: string, time: MetricRange) {
  const asked = MEASURES.flatMap((measure) => [
    { measure, span: 'day', range: ever } as const,
    { measure, span: 'day', range: time } as const,
    { measure, span: 'hour', range: time } as const,
  ]);
  return Promise.all(
    asked.map(({ measure, span, range }) =>
      metrics.groups({ type: 'tenant', tenant }, measure, range, [span, ...KEYS], 10_000),
    ),
  );
}

const HOUR_MS = 3_600_000;
const SCATTERED_HOURS = 200;

/** Whole hours about the time over which `scatter` scatters. */
const time: fc.Arbitrary<MetricRange> = fc
  .tuple(fc.integer({ min: 1, max: SCATTERED_HOURS }), fc.integer({ min: 1, max: SCATTERED_HOURS }))
  .map(([hours, ago]) => {
    const to = (Math.ceil(Date.now() / HOUR_MS) - ago + 1) * HOUR_MS;
    return { from: to - hours * HOUR_MS, to };
  });

/** What just happened to a tenant's runs happened over some days. */
async function scatter(tenant: string): Promise<void> {
  const times = {
    runs: 'finished_at',
    model_calls: 'finished_at',
    tool_calls: 'finished_at',
    approvals: 'closed_at',
  };
  for (const [table, column] of Object.entries(times)) {
    const ago = `(abs(hashtext(id)) % ${SCATTERED_HOURS}) * interval '1 hour'`;
    await world.database.query(`UPDATE ${table} SET ${column} = ${column} - ${ago} WHERE tenant_id = $1`, [
      tenant,
    ]);
  }
}

async function countAll(): Promise<number> {
  let all = 0;
  for (let counted = -1; counted !== 0; all += counted) counted = await world.sweeps.countEndedRuns(3, 0);
  return all;
}

/** A person says, after the run's end, that it did happen. */
async function settleLate(at: Held, toolCallId: string): Promise<void> {
  const event: RunEvent = {
    type: 'tool.settled',
    toolCallId,
    outcome: 'happened',
    by: { type: 'key', id: 'key_1' },
    output: '{}' as JsonText,
    text: '{}',
    binding: ARGUMENTS_DIGEST,
  };
  const { outcome } = await commit(world, { run: at.run, holder: null }, { events: [event] });
  expect(outcome.type).toBe('committed');
}

/** In units of the thirteenth decimal. */
function totalOf(groups: readonly MetricGroup[] | undefined): bigint {
  return (groups ?? []).reduce((sum, { costUsd }) => {
    const [whole = '0', fraction = ''] = costUsd.split('.');
    return sum + BigInt(whole + fraction.padEnd(13, '0'));
  }, 0n);
}

/** Every call of a tenant costs `factor` as much as it did, by another price. */
async function reRate(tenant: string, factor: number): Promise<void> {
  const ratings = new ReRatingRepository(world.connections);
  for await (const page of ratings.pages('scripted', 'small', 0)) {
    for (const { tenant: owner, runId, modelCallId, costUsd, wasteUsd, priceVersion } of page) {
      if (owner !== tenant) continue;
      const before = { priceVersion, costUsd, wasteUsd };
      const times = (amount: string) => (BigInt(amount.replace('.', '')) * BigInt(factor)).toString();
      const scaled = (amount: string) => `${times(amount)}e-${amount.split('.')[1]?.length ?? 0}`;
      const now = { costUsd: scaled(costUsd), wasteUsd: scaled(wasteUsd), priceVersion: 'other' };
      await ratings.reRate(tenant, runId, [{ modelCallId, ...now, before }]);
    }
  }
}

it('what is counted, what is added up when asked, and a full recount are the same after any histories', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 6 }), time, async (histories, range) => {
      const tenant = await makeTenant(world);
      const played: Played[] = [];
      for (const each of histories) played.push(await play(world, tenant, each));
      await scatter(tenant);
      const live = await answers(tenant, range);
      expect(await rollups(tenant)).toEqual([]);

      await countAll();
      expect(await answers(tenant, range)).toEqual(live);
      const counted = await rollups(tenant);
      expect(await recounted(tenant)).toEqual(counted);

      for (const { at, unknown } of played) if (unknown !== null) await settleLate(at, unknown);
      const settled = await answers(tenant, range);
      await countAll();
      expect(await answers(tenant, range)).toEqual(settled);
      const after = await rollups(tenant);
      expect(await recounted(tenant)).toEqual(after);

      await reRate(tenant, 3);
      const rated = await answers(tenant, range);
      expect(totalOf(rated[0])).toBe(totalOf(settled[0]) * 3n);
      await countAll();
      expect(await answers(tenant, range)).toEqual(rated);
      const anew = await rollups(tenant);
      expect(await recounted(tenant)).toEqual(anew);
      await world.database.query(`UPDATE tenant_schedule SET suspended = true WHERE tenant_id = $1`, [
        tenant,
      ]);
    }),
    { numRuns: 10 },
  );
});

it('the cost of a reply belongs to the tools that it asked for, and the parts add up to it', async () => {
  const tenant = await makeTenant(world);
  const turns = [
    { cost: 1_000_000_000_001, calls: ['look', 'refund', 'look'] },
    { cost: 7, calls: [] },
  ];
  await play(world, tenant, { subject: null, turns, failures: 0, asked: null, end: 'completed' });
  const groups = await metrics.groups({ type: 'tenant', tenant }, 'tool_cost', ever, ['first'], 10);
  const costs = Object.fromEntries(groups.map(({ keys, costUsd }) => [keys?.[1], costUsd]));
  expect(costs).toEqual({
    look: '0.0666666666671',
    refund: '0.033333333333',
    '': '0.0000000000007',
  });
});

it('beyond the dearest keys the rest is one more, day by day', async () => {
  const tenant = await makeTenant(world);
  const turns = [
    { cost: 30, calls: ['look'] },
    { cost: 20, calls: ['refund'] },
    { cost: 10, calls: [] },
  ];
  await play(world, tenant, { subject: null, turns, failures: 0, asked: null, end: 'open' });
  const groups = await metrics.groups({ type: 'tenant', tenant }, 'tool_cost', ever, ['day', 'first'], 1);
  expect(groups).toMatchObject([
    { keys: ['', 'look', '', '', ''], others: false, costUsd: '0.0000000000030' },
    { keys: null, others: true, costUsd: '0.0000000000030', count: 2 },
  ]);
});

it('a run that is being counted and a late outcome wait for one another', async () => {
  const tenant = await makeTenant(world);
  const runs = [];
  for (let each = 0; each < 6; each += 1) {
    runs.push(
      await play(world, tenant, { subject: null, turns: [], failures: 0, asked: null, end: 'unknown' }),
    );
  }
  const settle = runs.map(({ at, unknown }) => settleLate(at, unknown ?? ''));
  await Promise.all([...settle, countAll(), countAll(), countAll()]);
  await countAll();
  const counted = await rollups(tenant);
  expect(await recounted(tenant)).toEqual(counted);
  const calls = await metrics.groups({ type: 'tenant', tenant }, 'tool_call', ever, ['second'], 10);
  expect(calls).toMatchObject([{ keys: ['', '', 'succeeded', '', ''], count: 6 }]);
});

it('a place of the histogram is at most 1/64 away from what is in it, and places are in order', async () => {
  const rows = await world.database.query<{ ms: string; place: number }>(
    `SELECT ms, duration_place(ms) AS place FROM (
       SELECT generate_series(0, 70000)::bigint AS ms
       UNION ALL SELECT (1::bigint << bit) + near FROM generate_series(6, 40) AS bit, generate_series(-2, 2) AS near
     ) AS all_ms ORDER BY ms`,
  );
  const { middleOf } = await import('../../apps/api/src/metrics/histogram.js');
  let last = 0;
  for (const { ms, place } of rows) {
    expect(place).toBeGreaterThanOrEqual(last);
    last = place;
    const error = Math.abs(middleOf(place) - Number(ms));
    if (error > Number(ms) / 64) throw new Error(`${ms} in ${place} is ${middleOf(place)}`);
  }
});

it('the operator sees all tenants, told apart or one of them', async () => {
  const [one, two] = [await makeTenant(world), await makeTenant(world)];
  for (const tenant of [one, two, two]) {
    await play(world, tenant, {
      subject: null,
      turns: [{ cost: 50, calls: [] }],
      failures: 0,
      asked: null,
      end: 'completed',
    });
  }
  const of = async (tenant: string | null) => {
    const groups = await metrics.groups({ type: 'operator', tenant }, 'model_call', ever, ['tenant'], 1_000);
    return groups.filter(({ keys }) => keys?.[0] === one || keys?.[0] === two);
  };
  expect(await of(null)).toMatchObject([
    { keys: [two, '', '', '', ''], count: 2, costUsd: '0.0000000000100' },
    { keys: [one, '', '', '', ''], count: 1, costUsd: '0.0000000000050' },
  ]);
  expect(await of(one)).toMatchObject([{ keys: [one, '', '', '', ''] }]);
  expect(await metrics.groups({ type: 'tenant', tenant: one }, 'run', ever, ['tenant'], 10)).toMatchObject([
    { keys: [one, '', '', '', ''], count: 1 },
  ]);
});
