import type { Digest, JsonText, Run, RunEvent } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantTx } from '../../apps/api/src/platform/transaction.js';
import { ARGUMENTS, ARGUMENTS_DIGEST, CHECKS, reply } from './events.js';
import { claim, commit, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld();
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

/** A run that waits for signatures on one call. */
async function asked(
  requiredApprovals: 1 | 2 = 1,
): Promise<{ run: Run; toolCallId: string; approvalId: string }> {
  const { id } = await start(world, tenant);
  // Runs that were queued before, and left to nobody, come first.
  let held = await claim(world);
  while (held.run.id !== id) held = await claim(world);
  const toolCallId = newId('tcl');
  const approvalId = toolCallId.replace('tcl_', 'apr_');
  const expiresAt = Date.now() + 60_000;
  const { run } = await commit(world, held, {
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
        policyRule: 'tenant:0',
        policyVersion: 4,
        requiredApprovals,
        approverRoles: ['admin'],
        requestedAt: Date.now(),
        expiresAt,
        onExpiry: 'reject',
      },
      {
        type: 'run.waiting',
        approvals: [approvalId],
        toolResults: [],
        outcomes: [],
        until: expiresAt,
        why: null,
      },
    ],
  });
  return { run, toolCallId, approvalId };
}

type Decided = Extract<RunEvent, { type: 'approval.decided' }>;

function decided(toolCallId: string, by: string, given: Partial<Decided> = {}): Decided {
  return {
    type: 'approval.decided',
    approvalId: toolCallId.replace('tcl_', 'apr_'),
    toolCallId,
    by: { type: 'member', id: by },
    decision: 'approve',
    message: null,
    edited: null,
    notBefore: Date.now(),
    ...given,
  };
}

function stored(approvalId: string) {
  return tenantTx(world.prisma, tenant, async (tx) => ({
    approval: await tx.approval.findUniqueOrThrow({
      where: { tenantId_id: { tenantId: tenant, id: approvalId } },
    }),
    decisions: await tx.approvalDecision.findMany({ where: { approvalId }, orderBy: { seq: 'asc' } }),
  }));
}

function statusOf(run: Run): Promise<string> {
  return tenantTx(world.prisma, tenant, async (tx) => {
    const row = await tx.run.findUniqueOrThrow({ where: { tenantId_id: { tenantId: tenant, id: run.id } } });
    return row.status;
  });
}

it('a request stands in the inbox with what is to be signed, and the money in it', async () => {
  const { approvalId, run } = await asked();
  const { approval } = await stored(approvalId);
  expect(approval).toMatchObject({
    status: 'pending',
    tool: 'refund',
    arguments: ARGUMENTS,
    argumentsDigest: ARGUMENTS_DIGEST,
    effect: 'once',
    money: '{"amount":"12.50","currency":"EUR"}',
    subject: '{"id":"customer-1"}',
    approverRoles: ['admin'],
    policyVersion: 4,
    closedAt: null,
  });
  expect(await statusOf(run)).toBe('waiting');
});

it('one of two signatures leaves it pending, the second approves it and queues the run', async () => {
  const { run, toolCallId, approvalId } = await asked(2);
  const first = await commit(world, { run, holder: null }, { events: [decided(toolCallId, 'usr_1')] });
  expect((await stored(approvalId)).approval.status).toBe('pending');
  const second = await commit(
    world,
    { run: first.run, holder: null },
    { events: [decided(toolCallId, 'usr_2')] },
  );
  expect(second.outcome.type).toBe('committed');
  const { approval, decisions } = await stored(approvalId);
  expect(approval.status).toBe('approved');
  expect(approval.closedAt).not.toBeNull();
  expect(decisions.map(({ byId, voidedAt }) => [byId, voidedAt])).toEqual([
    ['usr_1', null],
    ['usr_2', null],
  ]);
  expect(await statusOf(run)).toBe('queued');
  expect((await claim(world)).run.id).toBe(run.id);
});

it('of two who decide at once, one is told that the run moved', async () => {
  const { run, toolCallId, approvalId } = await asked();
  const both = await Promise.all([
    commit(world, { run, holder: null }, { events: [decided(toolCallId, 'usr_1')] }),
    commit(world, { run, holder: null }, { events: [decided(toolCallId, 'usr_2', { decision: 'reject' })] }),
  ]);
  expect(both.map(({ outcome }) => outcome.type).sort()).toEqual(['committed', 'moved']);
  expect((await stored(approvalId)).decisions).toHaveLength(1);
  await claim(world);
});

it('an edit voids the signatures before it, and the inbox shows what is to run now', async () => {
  const { run, toolCallId, approvalId } = await asked(2);
  const first = await commit(world, { run, holder: null }, { events: [decided(toolCallId, 'usr_1')] });
  const edited = {
    arguments: '{"amount":"9.99","orderId":"7"}' as JsonText,
    argumentsDigest: `sha256:${'c'.repeat(64)}` as Digest,
  };
  const edit = decided(toolCallId, 'usr_2', { edited, message: 'Less \u0000.' });
  await commit(world, { run: first.run, holder: null }, { events: [edit] });
  const { approval, decisions } = await stored(approvalId);
  expect(approval).toMatchObject({
    status: 'pending',
    ...edited,
    money: '{"amount":"9.99","currency":"EUR"}',
  });
  expect(decisions.map(({ byId, voidedAt }) => [byId, voidedAt === null])).toEqual([
    ['usr_1', false],
    ['usr_2', true],
  ]);
  expect(decisions[1]).toMatchObject({ editedArguments: edited.arguments, message: '"Less \\u0000."' });
});

it('an undone approval is pending again with its first expiry, its decision no longer counts', async () => {
  const { run, toolCallId, approvalId } = await asked();
  const before = (await stored(approvalId)).approval;
  const held = await commit(
    world,
    { run, holder: null },
    {
      events: [decided(toolCallId, 'usr_1', { notBefore: Date.now() + 10_000 })],
    },
  );
  expect(await statusOf(run)).toBe('waiting');
  expect((await stored(approvalId)).approval.status).toBe('approved');
  const by = { type: 'member', id: 'usr_1' } as const;
  await commit(
    world,
    { run: held.run, holder: null },
    {
      events: [{ type: 'approval.reopened', approvalId, toolCallId, by }],
    },
  );
  const { approval, decisions } = await stored(approvalId);
  expect(approval).toMatchObject({ status: 'pending', closedAt: null, expiresAt: before.expiresAt });
  expect(decisions[0]?.voidedAt).not.toBeNull();
});

it('a rejection and an expiry close the request and give the model its result in the call’s place', async () => {
  const rejected = await asked();
  await commit(
    world,
    { run: rejected.run, holder: null },
    {
      events: [decided(rejected.toolCallId, 'usr_1', { decision: 'reject', message: 'Too much.' })],
    },
  );
  expect((await stored(rejected.approvalId)).approval.status).toBe('rejected');
  const messages = await tenantTx(world.prisma, tenant, (tx) =>
    tx.message.findMany({ where: { runId: rejected.run.id, role: 'tool' } }),
  );
  expect(messages).toMatchObject([{ turn: 1, position: 1 }]);
  expect(JSON.parse(messages[0]?.content ?? '')).toMatchObject({
    toolCallId: rejected.toolCallId,
    isError: true,
  });

  const expired = await asked();
  const { approvalId, toolCallId } = expired;
  await commit(
    world,
    { run: expired.run, holder: null },
    { events: [{ type: 'approval.expired', approvalId, toolCallId }] },
  );
  expect((await stored(approvalId)).approval.status).toBe('expired');
});
