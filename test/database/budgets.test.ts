import { addUsd, compareUsd } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { reply, reservation } from './events.js';
import { spend } from './spend.js';
import {
  claim,
  commit,
  type Held,
  makeTenant,
  openWorld,
  patchTenant,
  start,
  type World,
} from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld(20);
});
beforeEach(async () => {
  tenant = await makeTenant(world, { maxConcurrentRuns: 200 });
});
afterAll(() => world.close());

async function running(given: Parameters<typeof start>[2] = {}): Promise<Held> {
  await start(world, tenant, given);
  return claim(world);
}

function put(scope: string, period: 'day' | 'month' | 'total', limitUsd: string) {
  return world.budgets.put(tenant, { scope, period, limitUsd, setBy: 'tenant' });
}

it('a reservation counts in every scope that has a budget, and its settlement too', async () => {
  for (const scope of ['tenant', 'agent:support', 'subject:customer-1', 'agent:other'])
    await put(scope, 'total', '1');
  await put('tenant', 'day', '1');
  const at = await running();
  const call = reservation('0.4');
  const { run } = await commit(world, at, { reserve: call });
  const used = async () =>
    (await world.budgets.list(tenant)).map((b) => [b.scope, b.period, b.reservedUsd, b.spentUsd]);
  expect(await used()).toEqual([
    ['agent:other', 'total', '0.000000', '0.000000'],
    ['agent:support', 'total', '0.400000', '0.000000'],
    ['subject:customer-1', 'total', '0.400000', '0.000000'],
    ['tenant', 'day', '0.400000', '0.000000'],
    ['tenant', 'total', '0.400000', '0.000000'],
  ]);
  const settle = { modelCallId: call.modelCallId, costUsd: '0.12345678901' };
  await commit(
    world,
    { ...at, run },
    { events: [reply(call.modelCallId, { costUsd: settle.costUsd })], settle },
  );
  expect(await used()).toEqual([
    ['agent:other', 'total', '0.000000', '0.000000'],
    ['agent:support', 'total', '0.000000', '0.12345678901'],
    ['subject:customer-1', 'total', '0.000000', '0.12345678901'],
    ['tenant', 'day', '0.000000', '0.12345678901'],
    ['tenant', 'total', '0.000000', '0.12345678901'],
  ]);
});

it('fifty callers at once never reserve past a limit', async () => {
  await put('tenant', 'total', '1.00');
  await put('agent:support', 'day', '0.70');
  const runs = await Promise.all(Array.from({ length: 50 }, () => running()));
  const outcomes = await Promise.all(runs.map((at) => commit(world, at, { reserve: reservation('0.1') })));
  const answers = outcomes.map(({ outcome }) =>
    outcome.type === 'committed' ? outcome.reservation : outcome.type,
  );
  expect(answers.filter((answer) => answer === 'granted')).toHaveLength(7);
  expect(answers.filter((answer) => answer === 'blocked_by_reservations')).toHaveLength(43);
  expect(await world.budgets.list(tenant)).toMatchObject([
    { reservedUsd: '0.700000' },
    { reservedUsd: '0.700000' },
  ]);
});

it('what is spent and reserved at once never passes a limit while calls come and go', async () => {
  await put('tenant', 'month', '2.00');
  await put('subject:customer-1', 'total', '1.50');
  const runs = await Promise.all(Array.from({ length: 20 }, () => running()));
  const work = runs.map(async (first) => {
    let at = first;
    for (let call = 0; call < 8; call += 1) {
      const { outcome, run } = await spend(world, at, '0.05', '0.02');
      if (outcome.type !== 'committed') throw new Error(outcome.type);
      at = { ...at, run };
      for (const budget of await world.budgets.list(tenant)) {
        expect(compareUsd(addUsd(budget.spentUsd, budget.reservedUsd), budget.limitUsd)).not.toBe(1);
      }
    }
  });
  await Promise.all(work);
  const [subject] = await world.budgets.list(tenant);
  expect(subject).toMatchObject({ reservedUsd: '0.000000', overrunUsd: '0.000000' });
});

it('money that others have reserved is waited for, money that is spent is gone', async () => {
  await put('tenant', 'total', '0.10');
  const [a, b] = [await running(), await running()];
  const granted = await commit(world, a, { reserve: reservation('0.08') });
  expect(granted.outcome).toMatchObject({ reservation: 'granted' });
  const blocked = await commit(world, b, { reserve: reservation('0.08') });
  expect(blocked.outcome).toMatchObject({ type: 'committed', reservation: 'blocked_by_reservations' });
  expect((await commit(world, b, { reserve: reservation('0.11') })).outcome).toMatchObject({
    reservation: 'blocked_by_spending',
    blockedBy: { scope: 'tenant', period: 'total', limitUsd: '0.10', spentUsd: '0' },
  });
});

it('a refused reservation does not undo the events beside it', async () => {
  await put('tenant', 'total', '0');
  const at = await running();
  const { outcome, run } = await commit(world, at, {
    events: [reply(newId('mdl'))],
    reserve: reservation('0.1'),
  });
  expect(outcome).toMatchObject({ type: 'committed', reservation: 'blocked_by_spending' });
  expect(await world.ledger.eventsAfter(run, 2)).toHaveLength(1);
});

it('a run has a limit of its own', async () => {
  const at = await running({ budgetLimitUsd: '0.10' });
  const { outcome, run } = await spend(world, at, '0.06', '0.05');
  expect(outcome.type).toBe('committed');
  const next = await commit(world, { ...at, run }, { reserve: reservation('0.06') });
  const own = { scope: null, period: null, limitUsd: '0.10' };
  expect(next.outcome).toMatchObject({ reservation: 'blocked_by_spending', blockedBy: own });
  expect(next.outcome).toMatchObject({ reservation: 'blocked_by_spending' });
  expect((await commit(world, { ...at, run }, { reserve: reservation('0.05') })).outcome).toMatchObject({
    reservation: 'granted',
  });
});

it('a call is settled in every budget even where the limit of the run itself forbids the next one', async () => {
  await put('tenant', 'total', '10');
  const at = await running({ budgetLimitUsd: '0.10' });
  const first = reservation('0.06');
  const reserved = await commit(world, at, { reserve: first });
  const next = await commit(
    world,
    { ...at, run: reserved.run },
    {
      events: [reply(first.modelCallId, { costUsd: '0.06' })],
      settle: { modelCallId: first.modelCallId, costUsd: '0.06' },
      reserve: reservation('0.06'),
    },
  );
  expect(next.outcome).toMatchObject({ reservation: 'blocked_by_spending' });
  expect(await world.budgets.list(tenant)).toMatchObject([{ spentUsd: '0.060000', reservedUsd: '0.000000' }]);
});

it('what a provider reports beyond the reservation is booked all the same, and shown as overrun', async () => {
  await put('tenant', 'total', '0.10');
  const at = await running();
  const { run } = await spend(world, at, '0.05', '0.30');
  expect(await world.budgets.list(tenant)).toMatchObject([{ spentUsd: '0.300000', overrunUsd: '0.250000' }]);
  expect((await commit(world, { ...at, run }, { reserve: reservation('0.000001') })).outcome).toMatchObject({
    reservation: 'blocked_by_spending',
  });
});

async function crossings(): Promise<readonly unknown[]> {
  return world.database.query(
    `SELECT scope, percent, limit_usd::text AS limit, spent_usd::text AS spent FROM budget_crossings
     WHERE tenant_id = $1 ORDER BY scope, starts_at, percent`,
    [tenant],
  );
}

it('that a window was used up by 80 and by 100 percent is recorded once each, with the settlement that did it', async () => {
  await put('tenant', 'day', '1');
  await put('agent:support', 'total', '10');
  let at = await running();
  for (const cost of ['0.79', '0.01', '0.05', '0.15', '0.01']) {
    const { run } = await spend(world, at, '0.001', cost);
    at = { ...at, run };
    await put('tenant', 'day', '1');
  }
  expect(await crossings()).toEqual([
    { scope: 'tenant', percent: 80, limit: '1', spent: '0.80' },
    { scope: 'tenant', percent: 100, limit: '1', spent: '1.00' },
  ]);
});

it('a limit that is lowered, or set, below what is spent is crossed at once', async () => {
  await put('tenant', 'day', '10');
  await spend(world, await running(), '0.9', '0.9');
  expect(await crossings()).toEqual([]);
  await put('tenant', 'day', '1');
  await put('agent:support', 'month', '0.5');
  expect(await crossings()).toMatchObject([
    { scope: 'agent:support', percent: 80 },
    { scope: 'agent:support', percent: 100 },
    { scope: 'tenant', percent: 80 },
  ]);
});

it('a settlement is booked once: the same step again is told that the run moved', async () => {
  await put('tenant', 'total', '1');
  const at = await running();
  const call = reservation('0.5');
  const { run } = await commit(world, at, { reserve: call });
  const parts = {
    events: [reply(call.modelCallId)],
    settle: { modelCallId: call.modelCallId, costUsd: '0.2' },
  };
  const both = await Promise.all([
    commit(world, { ...at, run }, parts),
    commit(world, { ...at, run }, parts),
  ]);
  expect(both.map(({ outcome }) => outcome.type).sort()).toEqual(['committed', 'moved']);
  expect(await world.budgets.list(tenant)).toMatchObject([{ spentUsd: '0.200000', reservedUsd: '0.000000' }]);
});

it('a budget that is set later knows at once what was spent and is reserved in its window', async () => {
  const done = await running();
  await spend(world, done, '0.05', '0.07');
  const under = await running({ agent: { name: 'other', version: 1 } });
  const call = reservation('0.5');
  const { run } = await commit(world, under, { reserve: call });
  await put('tenant', 'month', '10');
  await put('agent:support', 'day', '10');
  await put('subject:nobody', 'total', '10');
  expect(await world.budgets.list(tenant)).toMatchObject([
    { scope: 'agent:support', spentUsd: '0.070000', reservedUsd: '0.000000', overrunUsd: '0.020000' },
    { scope: 'subject:nobody', spentUsd: '0.000000', reservedUsd: '0.000000' },
    { scope: 'tenant', spentUsd: '0.070000', reservedUsd: '0.500000', overrunUsd: '0.020000' },
  ]);
  const settle = { modelCallId: call.modelCallId, costUsd: '0.1' };
  await commit(world, { ...under, run }, { events: [reply(call.modelCallId)], settle });
  expect((await world.budgets.list(tenant)).at(-1)).toMatchObject({
    spentUsd: '0.170000',
    reservedUsd: '0.000000',
  });
});

it('a budget that is set while calls come and go misses none of them', async () => {
  const runs = await Promise.all(Array.from({ length: 10 }, () => running()));
  const calls = Promise.all(
    runs.map(async (first) => {
      let at = first;
      for (let call = 0; call < 6; call += 1)
        at = { ...at, run: (await spend(world, at, '0.02', '0.01')).run };
    }),
  );
  await put('tenant', 'total', '100');
  await put('agent:support', 'day', '100');
  await calls;
  const spent = (await world.budgets.list(tenant)).map(({ spentUsd, reservedUsd }) => [
    spentUsd,
    reservedUsd,
  ]);
  expect(spent).toEqual([
    ['0.600000', '0.000000'],
    ['0.600000', '0.000000'],
  ]);
});

it('a new period begins empty, and what belongs to the last one is not booked in it', async () => {
  await put('tenant', 'day', '1');
  const at = await running();
  const call = reservation('0.6');
  const { run } = await commit(world, at, { reserve: call });
  await world.database.query(
    `UPDATE budgets SET starts_at = starts_at - interval '1 day' WHERE tenant_id = '${tenant}';
     UPDATE runs SET reserved_at = reserved_at - interval '1 day' WHERE id = '${run.id}'`,
  );
  expect(await world.budgets.list(tenant)).toMatchObject([{ reservedUsd: '0.000000', spentUsd: '0.000000' }]);
  const other = await running();
  expect((await commit(world, other, { reserve: reservation('0.9') })).outcome).toMatchObject({
    reservation: 'granted',
  });
  const settle = { modelCallId: call.modelCallId, costUsd: '0.6' };
  await commit(world, { ...at, run }, { events: [reply(call.modelCallId)], settle });
  expect(await world.budgets.list(tenant)).toMatchObject([{ reservedUsd: '0.900000', spentUsd: '0.000000' }]);
});

it('a tenant cannot raise what its operator has set', async () => {
  await patchTenant(world, tenant, { monthlyBudgetUsd: '5' });
  expect(await put('tenant', 'month', '6')).toBe('set_by_operator');
  expect(await put('tenant', 'month', '4')).toBe('set');
  expect(await world.budgets.list(tenant)).toMatchObject([{ limitUsd: '4.000000', setBy: 'operator' }]);
  expect(await put('tenant', 'day', '6')).toBe('set');
});

it('a budget resets at the end of its period in UTC', async () => {
  await put('tenant', 'day', '1');
  await put('tenant', 'total', '1');
  const [day, total] = await world.budgets.list(tenant);
  expect(total?.resetsAt).toBeNull();
  expect((day?.resetsAt ?? 0) % 86_400_000).toBe(0);
});
