import { readRows } from '../../apps/api/src/platform/database.js';
import { RateLimit } from '../../apps/api/src/platform/rate-limit.js';
import { type Grant, RateLimitRepository } from '../../apps/api/src/platform/rate-limit.repository.js';
import { SharedRateLimit } from '../../apps/api/src/platform/shared-rate-limit.js';
import { makeTenant, openWorld, type World } from './support.js';

const PER_SECOND = 4;

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld(5);
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

/** Takes two requests for each of these keys, in one statement, so that nothing fills in between. */
async function takeTwo(...keys: readonly (readonly [tenant: string, key: string])[]): Promise<Grant[]> {
  const takes = keys.map(
    (_, index) => `take_requests($${index * 2 + 1}, $${index * 2 + 2}, ${PER_SECOND}, 2) AS take_${index}`,
  );
  const [row] = await readRows<Record<string, string>>(
    world.connections,
    `SELECT ${takes.join(', ')}`,
    keys.flat(),
  );
  return Object.values(row ?? {}).map((text) => JSON.parse(text) as Grant);
}

const granted = (grants: readonly Grant[]) => grants.map((grant) => grant.granted);

/** As if so many milliseconds had passed for the tenant's buckets. */
async function pass(milliseconds: number): Promise<void> {
  await world.database.query(
    `UPDATE rate_limits SET filled_at = filled_at - $2 * interval '1 millisecond' WHERE tenant_id = $1`,
    [tenant, milliseconds],
  );
}

it('a bucket holds one second\u2019s worth; the tenant\u2019s counts over its keys, and for no other tenant', async () => {
  const other = await makeTenant(world);
  const grants = await takeTwo([tenant, 'key_a'], [tenant, 'key_b'], [tenant, 'key_a'], [other, 'key_a']);
  expect(granted(grants)).toEqual([2, 2, 0, 2]);
  expect(grants[2]?.emptyForMs).toBeGreaterThan(0);
  expect(grants[2]?.emptyForMs).toBeLessThanOrEqual(1_000 / PER_SECOND);
});

it('fills at the rate, by the clock of the database, and never beyond a second\u2019s worth', async () => {
  await takeTwo([tenant, 'key_a'], [tenant, 'key_a']);
  await pass(3_600_000);
  const grants = await takeTwo([tenant, 'key_a'], [tenant, 'key_a'], [tenant, 'key_a']);
  expect(granted(grants)).toEqual([2, 2, 0]);
});

it('gives what there is, and not more, to those who ask at the same time', async () => {
  const buckets = new RateLimitRepository(world.connections);
  const rate = 100_000;
  const asked = Array.from({ length: 40 }, (_, index) =>
    buckets.take({ tenant, actorId: `key_${index % 4}` }, rate, rate / 10),
  );
  const sum = granted(await Promise.all(asked)).reduce((total, each) => total + each, 0);
  expect(sum).toBeGreaterThanOrEqual(rate);
  expect(sum).toBeLessThanOrEqual(await filledUntilNow(rate));
});

it('holds over all processes of the API', async () => {
  const rate = 40;
  const buckets = new RateLimitRepository(world.connections);
  const take = (...wanted: Parameters<RateLimitRepository['take']>) => buckets.take(...wanted);
  const processes = Array.from(
    { length: 4 },
    () => new SharedRateLimit({ take, alone: new RateLimit(), patienceMs: 60_000 }),
  );
  const asked = Array.from({ length: 400 }, (_, index) =>
    (processes[index % 4] as SharedRateLimit).take({ tenant, actorId: 'key_a' }, rate),
  );
  const admitted = (await Promise.all(asked)).filter((seconds) => seconds === 0).length;
  expect(admitted).toBeGreaterThanOrEqual(rate);
  expect(admitted).toBeLessThanOrEqual(await filledUntilNow(rate));
});

/** The most that the tenant's bucket can have given: a second's worth, and what filled since there is a tenant. */
async function filledUntilNow(perSecond: number): Promise<number> {
  const [age] = await world.database.query<{ seconds: number }>(
    `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds FROM tenants WHERE id = $1`,
    [tenant],
  );
  return perSecond * (1 + (age?.seconds ?? 0));
}

it('is forgotten once it has long been full', async () => {
  await takeTwo([tenant, 'key_a']);
  await world.sweeps.forgetRateLimits(1_000);
  const rows = () => world.database.query('SELECT FROM rate_limits WHERE tenant_id = $1', [tenant]);
  expect(await rows()).toHaveLength(2);
  await pass(61_000);
  await world.sweeps.forgetRateLimits(1_000);
  expect(await rows()).toHaveLength(0);
});
