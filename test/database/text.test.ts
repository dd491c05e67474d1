import type { JsonText } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantTx } from '../../apps/api/src/platform/transaction.js';
import { ARGUMENTS_DIGEST, CHECKS, reply, startedCall, succeeded } from './events.js';
import { claim, commit, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld();
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

const NUL_AND_SURROGATES = 'a\u0000b \ud83d half, \udc00 other half, 😀 whole, \\u0000 written, "quoted"';
const NUMBERS =
  '{"big":9007199254740993,"huge":1e400,"long":0.12345678901234567890123456789,"one":1.0,"nul":"\\u0000\\ud83d"}';

it('text with NUL and lone surrogates comes back as it was, from events, messages and output', async () => {
  const run = await start(world, tenant, { input: [{ role: 'user', content: NUL_AND_SURROGATES }] });
  const at = await claim(world);
  const events = [
    reply(newId('mdl'), { text: NUL_AND_SURROGATES }),
    { type: 'run.finished', status: 'completed', reason: null, output: NUL_AND_SURROGATES },
  ] as const;
  expect((await commit(world, at, { events })).outcome.type).toBe('committed');
  const stored = await world.ledger.events(tenant, run.id);
  expect(stored.slice(2).map(({ event }) => event)).toEqual(events);
  expect(stored[0]?.event).toMatchObject({ input: [{ content: NUL_AND_SURROGATES }] });
  const [row, messages] = await tenantTx(world.prisma, tenant, async (tx) => [
    await tx.run.findUniqueOrThrow({ where: { tenantId_id: { tenantId: tenant, id: run.id } } }),
    await tx.message.findMany({ where: { runId: run.id }, orderBy: { turn: 'asc' } }),
  ]);
  expect(JSON.parse(row.output ?? '')).toBe(NUL_AND_SURROGATES);
  expect(JSON.parse(messages[0]?.content ?? '')).toBe(NUL_AND_SURROGATES);
  expect(JSON.parse(messages[1]?.content ?? '')).toMatchObject({ text: NUL_AND_SURROGATES });
});

it('numbers beyond a double keep their digits in arguments and results', async () => {
  const toolCallId = newId('tcl');
  await start(world, tenant);
  const at = await claim(world);
  const bound = { arguments: NUMBERS as JsonText, argumentsDigest: ARGUMENTS_DIGEST };
  const permitted = {
    type: 'tool.permitted',
    toolCallId,
    checks: CHECKS,
    policyVersion: 0,
    policyRule: 'default',
    ...bound,
  } as const;
  const { run } = await commit(world, at, {
    events: [
      reply(newId('mdl'), { calls: [{ toolCallId, arguments: NUMBERS }] }),
      permitted,
      startedCall(toolCallId, null),
      succeeded(toolCallId, NUMBERS),
    ],
  });
  const [call] = await tenantTx(world.prisma, tenant, (tx) =>
    tx.toolCall.findMany({ where: { runId: run.id } }),
  );
  expect([call?.arguments, call?.result]).toEqual([NUMBERS, NUMBERS]);
  expect((await world.ledger.eventsAfter(run, 5))[0]?.event).toMatchObject({ output: NUMBERS });
});

it('names and reasons that Postgres cannot store are made storable, the event keeps what came', async () => {
  const strange = 'to\u0000ol \ud800';
  const toolCallId = newId('tcl');
  await start(world, tenant);
  const at = await claim(world);
  const events = [
    reply(newId('mdl'), { calls: [{ toolCallId, tool: strange, arguments: 'not json \u0000' }] }),
    {
      type: 'run.finished',
      status: 'failed',
      reason: { code: 'model_error', message: strange },
      output: null,
    },
  ] as const;
  const { run, outcome } = await commit(world, at, { events });
  expect(outcome.type).toBe('committed');
  expect((await world.ledger.eventsAfter(run, 2)).map(({ event }) => event)).toEqual(events);
  const [row, call] = await tenantTx(world.prisma, tenant, async (tx) => [
    await tx.run.findUniqueOrThrow({ where: { tenantId_id: { tenantId: tenant, id: run.id } } }),
    await tx.toolCall.findFirstOrThrow({ where: { runId: run.id } }),
  ]);
  expect(row.reasonMessage).toBe('to\ufffdol \ufffd');
  expect(call).toMatchObject({
    tool: 'to\ufffdol \ufffd',
    arguments: '"not json \\u0000"',
    toolVersion: null,
  });
});
