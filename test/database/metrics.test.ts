import type { JsonText, RunEvent } from '@countersign/agent-core';
import fc from 'fast-check';
import { ReRatingRepository } from '../../apps/api/src/governance/re-rating.repository.js';
import { type MetricGroup, MetricsRepository } from '../../apps/api/src/metrics/metrics.repository.js';
import { newId } from '../../apps/api/src/platform/ids.js';
import { ARGUMENTS, ARGUMENTS_DIGEST, CHECKS, permitted, reply, startedCall, succeeded } from './events.js';
import { claim, commit, type Held, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let metrics: MetricsRepository;

beforeAll(async () => {
  world = await openWorld();
  metrics = new MetricsRepository(world.pool);
});
afterAll(() => world.close());

const ever = { from: 0, to: Date.UTC(2100, 0) };

/** Every row of a tenant's rollups that came to something. */
function rollups(tenant: string) {
  return world.database.query(
    `SELECT measure, hour, first, second, third, fourth, count, trim_scale(cost_usd) AS cost, trim_scale(waste_usd) AS waste
     FROM metric_rollups WHERE tenant_id = $1 AND (count <> 0 OR cost_usd <> 0 OR waste_usd <> 0)
     ORDER BY measure, hour, first, second, third, fourth`,
    [tenant],
  );
}

/** What a full recount makes of the same runs. */
async function recounted(tenant: string) {
  await world.database.query(`SELECT recount_metrics($1, '-infinity', 'infinity')`, [tenant]);
  return rollups(tenant);
}

/** Everything that is asked of metrics, each measure told apart as far as it can be. */
function answers(tenant: string) {
  const measures = [
    'model_call',
    'subject',
    'tool_cost',
    'tool_call',
    'run',
    'approval',
    'duration',
  ] as const;
  const by = ['day', 'first', 'second', 'third', 'fourth'] as const;
  return Promise.all(
    measures.map((measure) => metrics.groups({ type: 'tenant', tenant }, measure, ever, by, 10_000)),
  );
}

async function countAll(): Promise<number> {
  let all = 0;
  for (let counted = -1; counted !== 0; all += counted) counted = await world.sweeps.countEndedRuns(3, 0);
  return all;
}

const failed = (code: 'rate_limited' | 'timeout', wasteUsd: string): RunEvent => {
  const { choice, provider, api, model, requestDigest, revision, priceVersion, startedAt } = reply('');
  const attempt = { choice, provider, api, model, requestDigest, revision, priceVersion, startedAt };
  const money = { usage: null, estimated: true, costUsd: wasteUsd, wasteUsd };
  const what = { code, message: 'no', httpStatus: 429, retryable: true, retryAfterMs: null };
  return { type: 'model.failed', ...attempt, modelCallId: newId('mdl'), ...money, ...what };
};

const ends = {
  completed: { type: 'run.finished', status: 'completed', reason: null, output: 'Done.' },
  failed: {
    type: 'run.finished',
    status: 'failed',
    reason: { code: 'turn_limit', message: 'm' },
    output: null,
  },
} as const;

interface History {
  readonly subject: string | null;
  readonly turns: readonly { readonly cost: number; readonly calls: readonly string[] }[];
  readonly failures: number;
  /** What becomes of a call that a person is asked about; null: none is. */
  readonly asked: 'approve' | 'reject' | 'edit' | null;
  readonly end: 'completed' | 'failed' | 'open' | 'unknown';
}

const history: fc.Arbitrary<History> = fc.record({
  subject: fc.option(fc.constantFrom('{"id":"c1"}', '{"id":"c2"}'), { nil: null }),
  turns: fc.array(
    fc.record({
      cost: fc.integer({ min: 0, max: 1_000_000_007 }),
      calls: fc.array(fc.constantFrom('refund', 'look', ''), { maxLength: 4 }),
    }),
    { maxLength: 3 },
  ),
  failures: fc.integer({ min: 0, max: 2 }),
  asked: fc.constantFrom('approve', 'reject', 'edit', null),
  end: fc.constantFrom('completed', 'failed', 'open', 'unknown'),
});

function decided(how: 'approve' | 'reject' | 'edit', turn: number): RunEvent[] {
  const toolCallId = newId('tcl');
  const approvalId = toolCallId.replace('tcl_', 'apr_');
  const asks = { argumentsDigest: ARGUMENTS_DIGEST, arguments: ARGUMENTS };
  const terms = {
    requiredApprovals: 1,
    approverRoles: [],
    onExpiry: 'reject',
    reason: 'Money moves.',
  } as const;
  const times = { requestedAt: Date.now() - 1_234, expiresAt: Date.now() + 60_000 };
  const rule = { policyRule: 'tenant:0', policyVersion: 1, checks: CHECKS };
  return [
    reply(newId('mdl'), { turn, calls: [{ toolCallId }] }),
    { type: 'approval.requested', toolCallId, approvalId, ...asks, ...terms, ...times, ...rule },
    {
      type: 'approval.decided',
      approvalId,
      toolCallId,
      by: { type: 'key', id: 'key_1' },
      decision: how === 'reject' ? 'reject' : 'approve',
      message: null,
      edited: how === 'edit' ? asks : null,
      notBefore: Date.now(),
    },
  ];
}

/** Plays a history; gives the run and, where it ended with an unknown outcome, that call. */
async function play(tenant: string, { subject, turns, failures, asked, end }: History) {
  await start(world, tenant, { subject: subject as never });
  let at = await claim(world);
  const add = async (...events: RunEvent[]) => {
    const { outcome, run } = await commit(world, at, { events });
    expect(outcome.type).toBe('committed');
    at = { ...at, run };
  };
  for (let each = 0; each < failures; each += 1) await add(failed('rate_limited', '0.0000000001'));
  for (const [index, { cost, calls }] of turns.entries()) {
    const named = calls.map((tool) => ({ toolCallId: newId('tcl'), tool }));
    const costUsd = (cost / 1e13).toFixed(13);
    await add(reply(newId('mdl'), { turn: index + 1, costUsd, calls: named }));
    for (const { toolCallId } of named) {
      await add(permitted(toolCallId), startedCall(toolCallId, null), succeeded(toolCallId));
    }
  }
  if (asked !== null) await add(...decided(asked, at.run.turns.length + 1));
  if (end === 'open') return { at, unknown: null };
  if (end !== 'unknown') {
    await add(ends[end]);
    return { at, unknown: null };
  }
  const toolCallId = newId('tcl');
  await add(reply(newId('mdl'), { turn: at.run.turns.length + 1, costUsd: '0.1', calls: [{ toolCallId }] }));
  await add(permitted(toolCallId), startedCall(toolCallId, null));
  const what = { message: 'silence', onUnknown: 'ask', askUntil: Date.now(), attempts: 1 } as const;
  await add({ type: 'tool.unknown', toolCallId, ...what }, ends.failed);
  return { at, unknown: toolCallId };
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
  const ratings = new ReRatingRepository(world.pool);
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
    fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 6 }), async (histories) => {
      const tenant = await makeTenant(world);
      const played = [];
      for (const each of histories) played.push(await play(tenant, each));
      const live = await answers(tenant);
      expect(await rollups(tenant)).toEqual([]);

      await countAll();
      expect(await answers(tenant)).toEqual(live);
      const counted = await rollups(tenant);
      expect(await recounted(tenant)).toEqual(counted);

      for (const { at, unknown } of played) if (unknown !== null) await settleLate(at, unknown);
      const settled = await answers(tenant);
      await countAll();
      expect(await answers(tenant)).toEqual(settled);
      const after = await rollups(tenant);
      expect(await recounted(tenant)).toEqual(after);

      await reRate(tenant, 3);
      const rated = await answers(tenant);
      expect(totalOf(rated[0])).toBe(totalOf(settled[0]) * 3n);
      await countAll();
      expect(await answers(tenant)).toEqual(rated);
      const anew = await rollups(tenant);
      expect(await recounted(tenant)).toEqual(anew);
      await world.database.query(`UPDATE tenant_schedule SET suspended = true WHERE tenant_id = $1`, [
        tenant,
      ]);
    }),
    { numRuns: 15 },
  );
});

it('the cost of a reply belongs to the tools that it asked for, and the parts add up to it', async () => {
  const tenant = await makeTenant(world);
  const turns = [
    { cost: 1_000_000_000_001, calls: ['look', 'refund', 'look'] },
    { cost: 7, calls: [] },
  ];
  await play(tenant, { subject: null, turns, failures: 0, asked: null, end: 'completed' });
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
  await play(tenant, { subject: null, turns, failures: 0, asked: null, end: 'open' });
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
    runs.push(await play(tenant, { subject: null, turns: [], failures: 0, asked: null, end: 'unknown' }));
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
    await play(tenant, {
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
