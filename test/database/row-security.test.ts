import { BreakerRepository } from '../../apps/api/src/governance/breakers/breaker.repository.js';
import { toolBreaker } from '../../apps/api/src/governance/breakers/breaker-key.js';
import { MemberRepository } from '../../apps/api/src/identity/member.repository.js';
import { signInTables } from '../../apps/api/src/identity/sign-in.repository.js';
import { assertApplicationRole, UnsafeRoleError } from '../../apps/api/src/platform/application-role.js';
import { openDatabase } from '../../apps/api/src/platform/database.js';
import { DatabaseError } from '../../apps/api/src/platform/database-error.js';
import { newId } from '../../apps/api/src/platform/ids.js';
import { RateLimitRepository } from '../../apps/api/src/platform/rate-limit.repository.js';
import { tenantRead, tenantTx, transactWith } from '../../apps/api/src/platform/transaction.js';
import { testServices } from '../support/environment.js';
import { ARGUMENTS, ARGUMENTS_DIGEST, CHECKS, reply } from './events.js';
import { claim, commit, intend, makeTenant, openWorld, start, type World } from './support.js';

const FAILURE = { code: 'tool_unavailable', retryAfterMs: null };

/** Tables of people, who may be members of several tenants: closed but to a transaction that signs somebody in. */
const PEOPLE = ['users', 'accounts', 'sessions'];

let world: World;
let tables: { readonly name: string; readonly column: string }[];
let tenant: string;
let other: string;

beforeAll(async () => {
  world = await openWorld(1);
  const found = await world.database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND relname <> '_prisma_migrations' ORDER BY relname`,
  );
  tables = found
    .filter(({ name }) => name !== 'model_prices' && !PEOPLE.includes(name))
    .map(({ name }) => ({ name, column: name === 'tenants' ? 'id' : 'tenant_id' }));
  tenant = await inhabited();
  other = await inhabited();
});

afterAll(() => world.close());

/** A tenant with at least one row in every table. */
async function inhabited(): Promise<string> {
  const id = await makeTenant(world, { monthlyBudgetUsd: '100' });
  await tenantTx(world.prisma, id, async (tx) => {
    await tx.idempotencyRequest.create({
      data: { tenantId: id, route: 'POST /v1/runs', key: 'k', requestDigest: 'd', state: 'in_progress' },
    });
    await tx.providerCredential.create({
      data: { tenantId: id, provider: 'openai', apiKeySealed: 'sealed' },
    });
    const tool = { id: newId('tol'), name: 'refund', currentVersion: 1, signingSecretSealed: 'sealed' };
    await tx.tool.create({ data: { tenantId: id, ...tool } });
    await tx.toolVersion.create({ data: { tenantId: id, name: 'refund', version: 1, definition: '{}' } });
    await tx.agent.create({ data: { tenantId: id, id: newId('agt'), name: 'support', currentVersion: 1 } });
    await tx.agentVersion.create({ data: { tenantId: id, name: 'support', version: 1, definition: '{}' } });
    await tx.policy.create({ data: { tenantId: id, version: 1, rules: '[]' } });
    const window = { scope: 'tenant', period: 'month', startsAt: new Date(0), crossedAt: new Date(0) };
    await tx.budgetCrossing.create({
      data: { tenantId: id, ...window, percent: 80, limitUsd: '1', spentUsd: '1' },
    });
    await tx.thread.create({ data: { tenantId: id, id: newId('thr'), subject: '{"id":"customer-1"}' } });
  });
  await start(world, id);
  await intend(world, await claim(world), 'an intent');
  await start(world, id);
  const waiting = await claim(world);
  const toolCallId = newId('tcl');
  const approvalId = toolCallId.replace('tcl_', 'apr_');
  await commit(world, waiting, {
    events: [
      reply(newId('mdl'), { calls: [{ toolCallId }] }),
      {
        type: 'approval.requested',
        toolCallId,
        checks: CHECKS,
        approvalId,
        arguments: ARGUMENTS,
        argumentsDigest: ARGUMENTS_DIGEST,
        reason: 'Money moves.',
        policyRule: 'default',
        policyVersion: 0,
        requiredApprovals: 1,
        approverRoles: [],
        requestedAt: Date.now(),
        expiresAt: Date.now() + 60_000,
        onExpiry: 'reject',
      },
      {
        type: 'approval.decided',
        approvalId,
        toolCallId,
        by: { type: 'key', id: 'key_1' },
        decision: 'reject',
        message: null,
        edited: null,
        notBefore: Date.now(),
      },
    ],
  });
  await new BreakerRepository(world.connections).failed(toolBreaker(id, 'refund'), FAILURE, newId('tcl'));
  await start(world, id);
  const ending = { type: 'run.finished', status: 'completed', reason: null, output: 'Done.' } as const;
  await commit(world, await claim(world), { events: [ending] });
  await world.sweeps.countEndedRuns(1, 0);
  await new RateLimitRepository(world.connections).take({ tenant: id, actorId: 'key_1' }, 10, 1);
  await addMember(id);
  return id;
}

async function addMember(tenantId: string, email = `${newId('usr')}@people.test`) {
  const user = { id: newId('usr'), email, name: 'A', accountId: newId('acc'), passwordHash: 'hash' };
  const added = await new MemberRepository(transactWith(world.prisma)).add(tenantId, user, 'viewer', true);
  if (added === null || added === 'foreign') throw new Error('not added');
  return added;
}

/** How many rows of each table the application's role sees, with this tenant set or with none. */
async function visible(bound: string | null): Promise<Record<string, number>> {
  const count = (name: string) =>
    world.prisma.$queryRawUnsafe<{ count: number }[]>(`SELECT count(*)::int FROM ${name}`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = bound === null ? await count(name) : await tenantRead(world.prisma, bound, count(name));
    counts[name] = rows[0]?.count ?? -1;
  }
  return counts;
}

async function existing(ofTenant: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, column } of tables) {
    const sql = `SELECT count(*)::int FROM ${name} WHERE ${column} = $1`;
    const [row] = await world.database.query<{ count: number }>(sql, [ofTenant]);
    counts[name] = row?.count ?? -1;
  }
  return counts;
}

const none = () => Object.fromEntries(tables.map(({ name }) => [name, 0]));

it('every table forces row security on everybody, its owner included', async () => {
  const unforced = await world.database.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND relname <> '_prisma_migrations' AND NOT (relrowsecurity AND relforcerowsecurity)`,
  );
  expect(unforced).toEqual([]);
});

it('without a tenant the application sees no row of any table', async () => {
  expect(await visible(null)).toEqual(none());
});

it('a tenant sees its own rows in every table, and no other', async () => {
  const own = await existing(tenant);
  expect(Object.values(own)).not.toContain(0);
  expect(await visible(tenant)).toEqual(own);
  expect(await visible(other)).toEqual(await existing(other));
});

it('a forgotten WHERE gives the rows of the tenant alone, a forgotten tenant none', async () => {
  const runs = await tenantTx(world.prisma, tenant, (tx) => tx.run.findMany());
  expect(new Set(runs.map((run) => run.tenantId))).toEqual(new Set([tenant]));
  expect(await world.prisma.run.findMany()).toEqual([]);
  const unknown = await tenantRead(world.prisma, 'ten_nobody', world.prisma.run.findMany());
  expect(unknown).toEqual([]);
});

it('a tenant sees the users who are its members, and nothing of how they sign in', async () => {
  const added = await addMember(tenant);
  await addMember(other, added.member.email);
  const seen = (bound: string) => tenantTx(world.prisma, bound, (tx) => tx.user.findMany());
  const members = (bound: string) => tenantTx(world.prisma, bound, (tx) => tx.member.findMany());
  for (const bound of [tenant, other]) {
    const ids = (await members(bound)).map(({ userId }) => userId);
    expect((await seen(bound)).map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await tenantTx(world.prisma, bound, (tx) => tx.account.findMany())).toEqual([]);
  }
  expect((await seen(tenant)).length).toBeLessThan((await allUsers()).length);
});

it('users, accounts and sessions are seen by statements that sign somebody in, and by no other', async () => {
  const everybody = await allUsers();
  const tables = signInTables(world.prisma) as {
    readonly [name: string]: { findMany(parameters: object): Promise<readonly { readonly id: string }[]> };
  };
  expect(await tables.user?.findMany({})).toHaveLength(everybody.length);
  expect(await tables.account?.findMany({})).toHaveLength(everybody.length);
  expect(await world.prisma.user.findMany()).toEqual([]);
  expect(await world.prisma.account.findMany()).toEqual([]);
  expect(await world.prisma.session.findMany()).toEqual([]);
});

it('nobody is made a user or an operator but by the functions for it, and no member is deleted', async () => {
  const signingIn = (statement: string) =>
    world.prisma.$transaction([
      world.prisma.$queryRaw`SELECT set_config('app.signing_in', 'on', true)`,
      world.prisma.$executeRawUnsafe(statement),
    ]);
  await expect(signingIn('UPDATE users SET operator = true')).rejects.toThrow();
  await expect(signingIn(`INSERT INTO users (id, email, name) VALUES ('u', 'e', 'n')`)).rejects.toThrow();
  await expect(signingIn('UPDATE accounts SET user_id = NULL')).rejects.toThrow();
  await expect(tenantTx(world.prisma, tenant, (tx) => tx.member.deleteMany())).rejects.toThrow(DatabaseError);
});

function allUsers() {
  return world.database.query<{ id: string }>('SELECT id FROM users');
}

it('a pooled connection forgets its tenant, after success and after failure', async () => {
  await tenantTx(world.prisma, tenant, (tx) => tx.run.count());
  expect(await world.prisma.run.count()).toBe(0);
  await expect(
    tenantTx(world.prisma, tenant, async () => {
      throw new Error('refused');
    }),
  ).rejects.toThrow('refused');
  expect(await world.prisma.run.count()).toBe(0);
  await world.ledger.events(tenant, 'run_unknown');
  expect(await world.prisma.run.count()).toBe(0);
});

it('no row of another tenant can be written, moved or deleted', async () => {
  const foreign = { tenantId: other, version: 9, rules: '[]' };
  await expect(tenantTx(world.prisma, tenant, (tx) => tx.policy.create({ data: foreign }))).rejects.toThrow(
    DatabaseError,
  );
  const moved = tenantTx(world.prisma, tenant, (tx) => tx.policy.updateMany({ data: { tenantId: other } }));
  await expect(moved).rejects.toThrow(DatabaseError);
  const deleted = await tenantTx(world.prisma, tenant, (tx) =>
    tx.policy.deleteMany({ where: { tenantId: other } }),
  );
  expect(deleted.count).toBe(0);
});

it('a duplicate is told in our words, without codes of Prisma or Postgres', async () => {
  const again = { tenantId: tenant, version: 1, rules: '[]' };
  const error = await tenantTx(world.prisma, tenant, (tx) => tx.policy.create({ data: again })).catch(
    (e: unknown) => e,
  );
  expect(error).toMatchObject({ kind: 'duplicate' });
  expect((error as Error).message).not.toMatch(/P\d{4}|\d{5}|constraint/);
});

it('what is the operator’s of a tenant cannot be written by the application', async () => {
  const raise = tenantTx(world.prisma, tenant, (tx) => tx.tenant.updateMany({ data: { weight: 100 } }));
  await expect(raise).rejects.toThrow(DatabaseError);
  await expect(world.prisma.$executeRawUnsafe('TRUNCATE runs')).rejects.toThrow();
  await expect(world.prisma.$executeRawUnsafe('SET ROLE countersign_claimer')).rejects.toThrow();
  await expect(
    world.prisma.$executeRawUnsafe(`INSERT INTO model_prices VALUES ('a', 'b', 1)`),
  ).rejects.toThrow();
});

it('functions that cross tenants belong to a role that cannot log in, with a pinned path, closed to the public', async () => {
  const functions = await world.database.query<{
    definer: boolean;
    open: boolean;
    path: string | null;
    owner: string;
  }>(
    `SELECT p.prosecdef AS definer, has_function_privilege('public', p.oid, 'EXECUTE') AS open,
       (SELECT c FROM unnest(p.proconfig) AS c WHERE c LIKE 'search_path=%') AS path, r.rolname AS owner
     FROM pg_proc AS p JOIN pg_roles AS r ON r.oid = p.proowner WHERE p.pronamespace = 'public'::regnamespace`,
  );
  const definers = functions.filter(({ definer }) => definer);
  expect(definers.length).toBeGreaterThan(5);
  for (const { owner, path } of definers) {
    expect({ owner, path }).toEqual({ owner: 'countersign_claimer', path: 'search_path=public, pg_temp' });
  }
  expect(functions.filter(({ open }) => open)).toEqual([]);
  const roles = await world.database.query(
    `SELECT rolcanlogin OR rolsuper OR rolbypassrls AS strong FROM pg_roles WHERE rolname = 'countersign_claimer'`,
  );
  expect(roles).toEqual([{ strong: false }]);
});

it('a role that row security does not hold for is refused at the start', async () => {
  await assertApplicationRole(world.connections);
  const superuser = new URL(testServices().superuserUrl);
  superuser.pathname = `/${world.database.name}`;
  for (const url of [superuser.toString(), world.database.ownerUrl]) {
    const pool = openDatabase({ url, pooled: 1 });
    await expect(assertApplicationRole(pool)).rejects.toThrow(UnsafeRoleError);
    await pool.end();
  }
});
