import { foldRun } from '@countersign/agent-core';
import { type ReRatedCall, ReRatingRepository } from '../../apps/api/src/governance/re-rating.repository.js';
import { MetricsRepository } from '../../apps/api/src/metrics/metrics.repository.js';
import { newId } from '../../apps/api/src/platform/ids.js';
import { reply, reservation } from './events.js';
import { claim, commit, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let tenant: string;
let ratings: ReRatingRepository;

beforeAll(async () => {
  world = await openWorld();
  ratings = new ReRatingRepository(world.connections);
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

/** A run that has spent 0.30 in one call, for which 0.40 were reserved, and has ended. */
async function spent(): Promise<{ readonly runId: string; readonly modelCallId: string }> {
  await start(world, tenant);
  const at = await claim(world);
  const { modelCallId } = reservation('0.40');
  const reserved = await commit(world, at, { reserve: reservation('0.40', modelCallId) });
  await commit(
    world,
    { ...at, run: reserved.run },
    {
      events: [
        reply(modelCallId, { costUsd: '0.30' }),
        { type: 'run.finished', status: 'completed', reason: null, output: 'Done.' },
      ],
      settle: { modelCallId, costUsd: '0.30' },
    },
  );
  return { runId: at.run.id, modelCallId };
}

const to = (costUsd: string, modelCallId: string): ReRatedCall => ({
  modelCallId,
  priceVersion: 'price-2',
  costUsd,
  wasteUsd: '0.000000',
  before: { priceVersion: 'price-1', costUsd: '0.30', wasteUsd: '0.000000' },
});

async function costOf(runId: string): Promise<unknown> {
  const events = await world.ledger.events(tenant, runId);
  const [row] = await world.database.query<{ cost: string; seq: number }>(
    'SELECT trim_scale(cost_usd)::text AS cost, seq FROM runs WHERE id = $1',
    [runId],
  );
  const { costUsd, seq, status } = foldRun({ id: runId, tenant }, events);
  return { row, folded: { cost: String(Number(costUsd)), seq }, status: status.name };
}

async function countAll(): Promise<void> {
  while ((await world.sweeps.countEndedRuns(10, 0)) > 0);
}

it('run, history, call, budgets and metrics move by the same difference, those that were counted before too', async () => {
  await world.budgets.put(tenant, { scope: 'tenant', period: 'day', limitUsd: '5', setBy: 'tenant' });
  const { runId, modelCallId } = await spent();
  await countAll();
  expect(await ratings.reRate(tenant, runId, [to('0.50', modelCallId)])).toHaveLength(1);
  expect(await costOf(runId)).toEqual({
    row: { cost: '0.5', seq: 5 },
    folded: { cost: '0.5', seq: 5 },
    status: 'finished',
  });
  expect(await world.budgets.list(tenant)).toMatchObject([{ spentUsd: '0.500000', overrunUsd: '0.100000' }]);
  const metrics = new MetricsRepository(world.connections);
  const asked = () =>
    metrics.groups({ type: 'tenant', tenant }, 'run', { from: 0, to: Date.UTC(2100, 0) }, ['first'], 10);
  expect(await asked()).toMatchObject([{ costUsd: '0.500000', count: 1 }]);
  await countAll();
  expect(await asked()).toMatchObject([{ costUsd: '0.500000', count: 1 }]);
});

it('of two who re-rate a call at once one moves it', async () => {
  const { runId, modelCallId } = await spent();
  const both = [to('0.10', modelCallId), to('0.20', modelCallId)];
  const moved = await Promise.all(both.map((call) => ratings.reRate(tenant, runId, [call])));
  expect(moved.map(({ length }) => length).sort()).toEqual([0, 1]);
  expect(await world.ledger.events(tenant, runId)).toHaveLength(5);
});

it('a run or a call that is not there is passed over', async () => {
  const { runId } = await spent();
  expect(await ratings.reRate(tenant, newId('run'), [to('0.10', newId('mdl'))])).toEqual([]);
  expect(await ratings.reRate(tenant, runId, [to('0.10', newId('mdl'))])).toEqual([]);
});
