import { Client } from 'pg';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantTx } from '../../apps/api/src/platform/transaction.js';
import { reservation } from './events.js';
import { claim, commit, makeTenant, openWorld, patchTenant, start, type World } from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

const raise = { data: { revision: { increment: 1 } } };

it('a new tenant has the empty policy at version 0', async () => {
  expect(await world.governance.current(tenant)).toEqual({
    revision: 1,
    suspended: false,
    withdrawn: new Set(),
    members: new Map(),
    keys: new Map(),
    policy: { version: 0, rules: [], allowlist: null, agentsMayLoosen: false },
  });
});

it('the rules are those of the current version, with the tools that were withdrawn', async () => {
  const rule = {
    tool: '*',
    when: [{ path: '/amount', op: 'gt', value: '9007199254740993' }],
    action: 'deny',
  };
  await tenantTx(world.prisma, tenant, async (tx) => {
    const policy = { rules: JSON.stringify([rule]), allowlist: '["refund"]', agentsMayLoosen: true };
    await tx.policy.create({ data: { tenantId: tenant, version: 1, rules: '[]' } });
    await tx.policy.create({ data: { tenantId: tenant, version: 2, ...policy } });
    await tx.tenant.updateMany({ data: { policyVersion: 2, revision: { increment: 1 } } });
    const tool = { name: 'old', currentVersion: 1, signingSecretSealed: 's', deletedAt: new Date() };
    await tx.tool.create({ data: { tenantId: tenant, id: newId('tol'), ...tool } });
  });
  expect(await world.governance.current(tenant)).toEqual({
    revision: 2,
    suspended: false,
    withdrawn: new Set(['old']),
    members: new Map(),
    keys: new Map(),
    policy: { version: 2, rules: [rule], allowlist: ['refund'], agentsMayLoosen: true },
  });
});

it('whoever changes the rules and whoever acts by them wait for each other', async () => {
  await start(world, tenant);
  const at = await claim(world);
  let acting: Promise<unknown> = Promise.resolve();
  await tenantTx(world.prisma, tenant, async (tx) => {
    await tx.tenant.updateMany(raise);
    acting = commit(world, at, { reserve: reservation('0.01') });
    const waiting = 'SELECT count(*)::int AS n FROM pg_locks WHERE locktype = $1 AND NOT granted';
    for (;;) {
      const [row] = await world.database.query<{ n: number }>(waiting, ['advisory']);
      if (row?.n === 1) break;
    }
  });
  expect(await acting).toMatchObject({ outcome: { type: 'governance_changed' } });
});

it('a suspension is one more revision, and ends', async () => {
  await patchTenant(world, tenant, { suspended: true });
  expect(await world.governance.current(tenant)).toMatchObject({ suspended: true, revision: 2 });
  await patchTenant(world, tenant, { suspended: false, name: 'Renamed' });
  expect(await world.governance.current(tenant)).toMatchObject({ suspended: false, revision: 3 });
});

it('a slug belongs to one tenant', async () => {
  const fields = JSON.stringify({ slug: tenant, name: 'Again' });
  const key = JSON.stringify({ id: newId('key'), name: 'k', keyHash: 'another', prefix: 'p', scopes: [] });
  const rows = await world.prisma
    .$queryRaw`SELECT operator_create_tenant(${newId('ten')}, ${fields}, ${key}) AS made`;
  expect(rows).toEqual([{ made: null }]);
});

it('a key is found by its digest alone, until it is revoked or expires', async () => {
  const find = async (hash: string) => {
    const [row] = await world.prisma.$queryRaw<
      { found: string | null }[]
    >`SELECT find_api_key(${hash}) AS found`;
    return row?.found == null ? null : (JSON.parse(row.found) as { tenant: string; scopes: string[] });
  };
  const make = (keyHash: string, given: object) =>
    tenantTx(world.prisma, tenant, (tx) =>
      tx.apiKey.create({
        data: {
          tenantId: tenant,
          id: newId('key'),
          name: 'k',
          keyHash,
          prefix: 'p',
          scopes: ['admin'],
          ...given,
        },
      }),
    );
  await make(`${tenant} a`, {});
  await make(`${tenant} b`, { revokedAt: new Date() });
  await make(`${tenant} c`, { expiresAt: new Date(Date.now() - 1_000) });
  expect(await find(`${tenant} a`)).toMatchObject({
    tenant,
    scopes: ['admin'],
    suspended: false,
    expiresAt: null,
  });
  expect(await find(`${tenant} b`)).toBeNull();
  expect(await find(`${tenant} c`)).toBeNull();
  expect(await find('unknown')).toBeNull();
});

it('a price has versions, and all tenants read it', async () => {
  const price = JSON.stringify({ inputPerMTok: '0.0375', outputPerMTok: '15' });
  const set = () =>
    world.prisma.$queryRaw`SELECT operator_set_model_price('openai', ${tenant}, ${price}) AS version`;
  expect(await set()).toEqual([{ version: 1 }]);
  expect(await set()).toEqual([{ version: 2 }]);
  const found = await tenantTx(world.prisma, tenant, (tx) =>
    tx.modelPrice.findMany({ where: { model: tenant } }),
  );
  expect(found.map(({ inputPerMtok }) => inputPerMtok.toFixed())).toEqual(['0.0375', '0.0375']);
});

it('the queue is counted for each tenant with work', async () => {
  await start(world, tenant);
  await start(world, tenant);
  await claim(world);
  const [row] = await world.prisma.$queryRaw<{ queue: string }[]>`SELECT operator_queue() AS queue`;
  const { data: depths } = JSON.parse(row?.queue ?? '') as { data: { tenant: string }[] };
  expect(depths.find((depth) => depth.tenant === tenant)).toMatchObject({ queued: 1, running: 1 });
});

it('a limit that waits for the steps of its tenant holds up nobody else', async () => {
  const holder = new Client({ connectionString: world.database.appUrl });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(rules_lock($1))', [tenant]);
  await world.budgets.list(tenant);
  const limited = world.budgets.put(tenant, {
    scope: 'tenant',
    period: 'day',
    limitUsd: '1',
    setBy: 'tenant',
  });
  expect(await world.budgets.list(tenant)).toEqual([]);
  await holder.end();
  expect(await limited).toBe('set');
});
