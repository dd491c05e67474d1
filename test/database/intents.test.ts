import type { Digest, JsonText } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantTx } from '../../apps/api/src/platform/transaction.js';
import { effectKey, intention, permitted, reply, startedCall, succeeded } from './events.js';
import { claim, commit, type Held, intend, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let tenant: string;

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

async function running(): Promise<Held> {
  await start(world, tenant);
  return claim(world);
}

it('at most one call holds an intent, however many try at once', async () => {
  const runs: Held[] = [];
  for (let count = 0; count < 8; count += 1) runs.push(await running());
  const outcomes = await Promise.all(runs.map((at) => intend(world, at, 'the same refund')));
  const types = outcomes.map(({ outcome }) => outcome.type);
  expect(types.filter((type) => type === 'committed')).toHaveLength(1);
  expect(types.filter((type) => type === 'intent_taken')).toHaveLength(7);
  const loser = runs[types.indexOf('intent_taken')] as Held;
  expect(await world.ledger.events(tenant, loser.run.id)).toHaveLength(2);
});

it('two calls that want two intents in opposite orders do not block each other for ever', async () => {
  const tries = Array.from({ length: 6 }, async () => {
    const [a, b] = [await running(), await running()];
    const both = (at: Held, ...keys: string[]) => {
      const toolCallId = newId('tcl');
      return commit(world, at, {
        events: [
          reply(newId('mdl'), { calls: [{ toolCallId }] }),
          permitted(toolCallId),
          startedCall(toolCallId, keys[0] ?? ''),
        ],
        intentions: [intention(toolCallId, ...keys)],
      });
    };
    const key = newId('req');
    return Promise.all([both(a, `${key}-1`, `${key}-2`), both(b, `${key}-2`, `${key}-1`)]);
  });
  for (const pair of await Promise.all(tries)) {
    expect(pair.map(({ outcome }) => outcome.type).sort()).toEqual(['committed', 'intent_taken']);
  }
});

it('a succeeded intent stays closed and keeps its result, a failed one is free again', async () => {
  const first = await intend(world, await running(), 'refund 7');
  await commit(world, first.held, {
    events: [succeeded(first.toolCallId, '{"n":12345678901234567890}', 'It ran.')],
  });
  expect((await intend(world, await running(), 'refund 7')).outcome.type).toBe('intent_taken');
  expect(
    (await world.intents.intents(tenant, ['refund 7', 'nobody holds this'])).get('refund 7'),
  ).toMatchObject({
    state: 'succeeded',
    toolCallId: first.toolCallId,
    output: '{"n":12345678901234567890}',
    text: 'It ran.',
  });

  const failing = await intend(world, await running(), 'refund 8');
  expect((await world.intents.intents(tenant, ['refund 8'])).get('refund 8')?.state).toBe('executing');
  const failed = {
    type: 'tool.failed',
    toolCallId: failing.toolCallId,
    code: 'refused',
    message: 'No.',
  } as const;
  await commit(world, failing.held, { events: [{ ...failed, infrastructure: false, attempts: 1 }] });
  expect((await world.intents.intents(tenant, ['refund 8'])).size).toBe(0);
  expect((await intend(world, await running(), 'refund 8')).outcome.type).toBe('committed');
});

it('an unknown outcome holds its intent until it is settled, and then its effect says what happened', async () => {
  const { held, toolCallId } = await intend(world, await running(), 'refund 9');
  const unknown = {
    type: 'tool.unknown',
    toolCallId,
    message: 'No answer.',
    onUnknown: 'ask',
    askUntil: Date.now() + 1e6,
    attempts: 1,
  } as const;
  const { run } = await commit(world, held, { events: [unknown] });
  expect((await world.intents.intents(tenant, ['refund 9'])).get('refund 9')?.state).toBe('unknown');
  const effects = () =>
    tenantTx(world.prisma, tenant, (tx) => tx.effect.findMany({ where: { id: effectKey(toolCallId) } }));
  expect(await effects()).toMatchObject([{ state: 'unknown', tool: 'refund', intentKeys: ['refund 9'] }]);
  const by = { type: 'key', id: 'key_1' } as const;
  const output = 'true' as JsonText;
  const settled = {
    type: 'tool.settled',
    toolCallId,
    outcome: 'happened',
    by,
    output,
    text: 'It did.',
    binding: `sha256:${'b'.repeat(64)}` as Digest,
  } as const;
  await commit(world, { run, holder: null }, { events: [settled] });
  expect(await effects()).toMatchObject([{ state: 'succeeded' }]);
  expect((await world.intents.intents(tenant, ['refund 9'])).get('refund 9')?.state).toBe('succeeded');
});
