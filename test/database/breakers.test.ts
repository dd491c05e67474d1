import {
  type BreakerCaller,
  BreakerRepository,
} from '../../apps/api/src/governance/breakers/breaker.repository.js';
import {
  type BreakerKey,
  providerBreaker,
  toolBreaker,
} from '../../apps/api/src/governance/breakers/breaker-key.js';
import { Breakers } from '../../apps/api/src/governance/breakers/breakers.js';
import { createLog } from '../../apps/api/src/platform/log.js';
import { claim, makeTenant, openWorld, start, type World } from './support.js';

const FAILURE = { code: 'tool_unavailable', retryAfterMs: null };
const CALL_MS = 60_000;
const log = createLog('worker', 'silent');

let world: World;
let breakers: BreakerRepository;
let tenant: string;

beforeAll(async () => {
  world = await openWorld(20);
  breakers = new BreakerRepository(world.connections);
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

async function fail(key: BreakerKey, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await breakers.failed(key, FAILURE, `call ${time}`);
}

/** Its time has come: by the clock of Postgres alone, which is why the row is moved and not the clock. */
async function comeDue({ owner, id }: BreakerKey): Promise<void> {
  await world.database.query(
    `UPDATE breakers SET retry_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2`,
    [owner, id],
  );
}

/** Callers of a run that a worker holds. */
async function callers(count: number): Promise<{ readonly runId: string; readonly ids: BreakerCaller[] }> {
  await start(world, tenant);
  const { run } = await claim(world);
  const ids = Array.from({ length: count }, (_, index) => ({ tenant, runId: run.id, id: `call_${index}` }));
  return { runId: run.id, ids };
}

/** How long the breaker is open from its last failure on, in seconds. */
async function openSeconds({ owner, id }: BreakerKey): Promise<number> {
  const [row] = await world.database.query<{ seconds: number }>(
    `SELECT extract(epoch FROM retry_at - last_failure_at)::float8 AS seconds
     FROM breakers WHERE tenant_id = $1 AND id = $2`,
    [owner, id],
  );
  return row?.seconds ?? Number.NaN;
}

it('five failures running open it, and a success in between begins the count anew', async () => {
  const key = toolBreaker(tenant, 'look');
  await fail(key, 4);
  expect(await breakers.answered(key, 'call')).toBeNull();
  await fail(key, 4);
  expect(await breakers.list(tenant)).toMatchObject([{ state: 'closed', failures: 4, openedAt: null }]);
  await fail(key, 1);
  expect(await breakers.list(tenant)).toMatchObject([
    {
      id: key.id,
      kind: 'tool',
      about: { tool: 'look' },
      state: 'open',
      failures: 5,
      lastError: FAILURE.code,
    },
  ]);
});

it('of fifty that ask a half-open one at the same time exactly one is let through, and again when it asks again', async () => {
  const key = toolBreaker(tenant, 'look');
  await fail(key, 5);
  await comeDue(key);
  const { ids } = await callers(50);
  const asked = await Promise.all(ids.map((caller) => breakers.admit(key, caller, CALL_MS)));
  const probes = asked.flatMap(({ verdict }, index) => (verdict === 'probe' ? [index] : []));
  expect(probes).toHaveLength(1);
  expect(asked.filter(({ verdict }) => verdict === 'held_back')).toHaveLength(49);
  const [probe = 0] = probes;
  expect(await breakers.admit(key, ids[probe] as BreakerCaller, CALL_MS)).toMatchObject({ verdict: 'probe' });
  const other = ids[(probe + 1) % 50] as BreakerCaller;
  expect(await breakers.admit(key, other, CALL_MS)).toMatchObject({ verdict: 'held_back' });
  await breakers.answered(key, (ids[probe] as BreakerCaller).id);
  expect(await breakers.admit(key, other, CALL_MS)).toMatchObject({ verdict: 'closed' });
});

it('only the probe closes it or keeps it open: a call that was under way when it opened changes nothing', async () => {
  const key = toolBreaker(tenant, 'look');
  await fail(key, 5);
  expect(await breakers.answered(key, 'late')).not.toBeNull();
  await comeDue(key);
  const { ids } = await callers(2);
  const [probe, other] = ids as [BreakerCaller, BreakerCaller];
  await breakers.admit(key, probe, CALL_MS);
  await breakers.failed(key, FAILURE, 'late');
  expect(await breakers.admit(key, probe, CALL_MS)).toMatchObject({ verdict: 'probe' });
  await breakers.failed(key, FAILURE, probe.id);
  expect(await breakers.admit(key, other, CALL_MS)).toMatchObject({ verdict: 'held_back' });
  expect(await breakers.list(tenant)).toMatchObject([{ state: 'open', failures: 7 }]);
});

it('stays open twice as long after each probe in vain, up to five minutes and a fifth', async () => {
  const key = toolBreaker(tenant, 'look');
  await fail(key, 5);
  const { ids } = await callers(1);
  const [probe] = ids as [BreakerCaller];
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    const open = await openSeconds(key);
    expect(open).toBeGreaterThan(seconds * 0.8 - 1);
    expect(open).toBeLessThan(seconds * 1.2 + 1);
    await comeDue(key);
    await breakers.admit(key, probe, CALL_MS);
    await breakers.failed(key, FAILURE, probe.id);
  }
});

it('stays open for as long as the other side asks, within five minutes', async () => {
  for (const [asked, seconds] of [
    [200_000, 200],
    [86_400_000, 300],
  ] as const) {
    const key = toolBreaker(tenant, `asks_${asked}`);
    await fail(key, 4);
    await breakers.failed(key, { code: 'rate_limited', retryAfterMs: asked }, 'call');
    expect(Math.round(await openSeconds(key))).toBe(seconds);
  }
});

it.each([
  ['dies', `UPDATE runs SET lease_expires_at = clock_timestamp() - interval '1 second' WHERE id = $1`],
  ['lost its run to another', 'UPDATE runs SET fence = fence + 1 WHERE id = $1'],
  ['handed its run back', `UPDATE runs SET status = 'queued' WHERE id = $1`],
])('the probe is free again when its worker %s', async (_what, sql) => {
  const key = toolBreaker(tenant, 'look');
  await fail(key, 5);
  await comeDue(key);
  const { runId, ids } = await callers(2);
  const [probe, other] = ids as [BreakerCaller, BreakerCaller];
  await breakers.admit(key, probe, CALL_MS);
  expect(await breakers.admit(key, other, CALL_MS)).toMatchObject({ verdict: 'held_back' });
  await world.database.query(sql, [runId]);
  expect(await breakers.admit(key, other, CALL_MS)).toMatchObject({ verdict: 'probe' });
});

it('the probe is free again when it was not sent, and when it takes longer than any call may', async () => {
  const key = toolBreaker(tenant, 'look');
  await fail(key, 5);
  await comeDue(key);
  const [first, second, third] = (await callers(3)).ids as [BreakerCaller, BreakerCaller, BreakerCaller];
  await breakers.admit(key, first, CALL_MS);
  await breakers.undecided(key, second.id);
  expect(await breakers.admit(key, second, CALL_MS)).toMatchObject({ verdict: 'held_back' });
  await breakers.undecided(key, first.id);
  expect(await breakers.admit(key, second, 0)).toMatchObject({ verdict: 'probe' });
  expect(await breakers.admit(key, third, CALL_MS)).toMatchObject({ verdict: 'probe' });
});

it('failures of one tenant, tool, address or credential touch no other', async () => {
  const other = await makeTenant(world);
  const about = { provider: 'openai', model: 'm', baseUrl: 'http://a/v1' };
  const own = providerBreaker({ tenant, credential: 'tenant' }, about);
  const untouched = [
    toolBreaker(other, 'look'),
    toolBreaker(tenant, 'pay'),
    providerBreaker({ tenant: other, credential: 'tenant' }, about),
    providerBreaker({ tenant, credential: 'tenant' }, { ...about, baseUrl: 'http://b/v1' }),
    providerBreaker({ tenant, credential: 'tenant' }, { ...about, model: 'n' }),
    providerBreaker({ tenant, credential: 'deployment' }, about),
  ];
  await fail(toolBreaker(tenant, 'look'), 5);
  await fail(own, 5);
  const { ids } = await callers(1);
  for (const key of untouched) {
    expect(await breakers.admit(key, ids[0] as BreakerCaller, CALL_MS)).toMatchObject({ verdict: 'closed' });
  }
  expect(await breakers.list(other)).toEqual([]);
  const shared = (tenantId: string) => providerBreaker({ tenant: tenantId, credential: 'deployment' }, about);
  expect(shared(tenant)).toEqual(shared(other));
});

it('is reset by its own tenant alone', async () => {
  const other = await makeTenant(world);
  const key = toolBreaker(tenant, 'look');
  await fail(key, 5);
  expect(await breakers.reset(other, key.id)).toBe('unknown');
  expect(await breakers.reset(tenant, key.id)).toBe('reset');
  expect(await breakers.reset(tenant, key.id)).toBe('unknown');
  expect(await breakers.list(tenant)).toEqual([]);
});

it('is forgotten when nobody has met it for long', async () => {
  const [closed, open] = [toolBreaker(tenant, 'closed'), toolBreaker(tenant, 'open')];
  await fail(closed, 1);
  await fail(open, 5);
  await breakers.forget(100);
  expect(await breakers.list(tenant)).toHaveLength(2);
  await world.database.query(`UPDATE breakers SET last_failure_at = last_failure_at - interval '61 minutes'`);
  await breakers.forget(100);
  expect(await breakers.list(tenant)).toMatchObject([{ id: open.id }]);
  await world.database.query(`UPDATE breakers SET retry_at = retry_at - interval '25 hours'`);
  await breakers.forget(100);
  expect(await breakers.list(tenant)).toEqual([]);
});

describe('the view of a process', () => {
  const view = () => new Breakers({ repository: breakers, log });

  it('asks Postgres nothing and writes nothing while everything works', async () => {
    const { ids } = await callers(1);
    const own = view();
    await own.refresh();
    const key = toolBreaker(tenant, 'look');
    const query = jest.spyOn(world.connections.pipeline, 'query');
    for (let call = 0; call < 10; call += 1) {
      expect(await own.openUntil(key)).toBeNull();
      expect(await own.admit(key, ids[0] as BreakerCaller, CALL_MS)).toBeNull();
      await own.answered(key, 'call');
    }
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });

  it('learns from others what is open with its next look, and what stands for a success to take away', async () => {
    const [here, there] = [view(), view()];
    const key = toolBreaker(tenant, 'look');
    for (let call = 0; call < 5; call += 1) await there.failed(key, FAILURE, `call ${call}`);
    expect(await there.openUntil(key)).not.toBeNull();
    expect(await here.openUntil(key)).toBeNull();
    await here.refresh();
    expect(await here.openUntil(key)).toBe(await there.openUntil(key));

    const other = toolBreaker(tenant, 'pay');
    await there.failed(other, FAILURE, 'call');
    await here.refresh();
    await here.answered(other, 'call');
    expect((await breakers.list(tenant)).map(({ id }) => id)).toEqual([key.id]);
  });

  it('takes away with its next look what failed elsewhere before its last answer, and nothing that failed after it', async () => {
    const [here, there] = [view(), view()];
    const [before, after] = [toolBreaker(tenant, 'look'), toolBreaker(tenant, 'pay')];
    await there.failed(before, FAILURE, 'call');
    await world.database.query(`UPDATE breakers SET last_failure_at = last_failure_at - interval '1 second'`);
    await here.answered(before, 'call');
    await here.answered(after, 'call');
    await world.database.query('SELECT pg_sleep(0.05)');
    await there.failed(after, FAILURE, 'call');
    await here.refresh();
    expect((await breakers.list(tenant)).map(({ id }) => id)).toEqual([after.id]);
  });

  it('keeps what it learned while it was looking', async () => {
    const own = view();
    const key = toolBreaker(tenant, 'look');
    const looking = own.refresh();
    for (let call = 0; call < 5; call += 1) await own.failed(key, FAILURE, `call ${call}`);
    await looking;
    expect(await own.openUntil(key)).not.toBeNull();
  });

  it('sees at once that what it saw open is closed, or may be tried', async () => {
    const own = view();
    const [reset, due] = [toolBreaker(tenant, 'look'), toolBreaker(tenant, 'pay')];
    await fail(reset, 5);
    await fail(due, 5);
    await own.refresh();
    await breakers.reset(tenant, reset.id);
    await comeDue(due);
    expect([await own.openUntil(reset), await own.openUntil(due)]).toEqual([null, null]);
  });
});
