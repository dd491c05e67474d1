import { type Api, createTenant } from '../support/client.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { createAgent, startRun } from '../support/definitions.js';
import { endOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';

const ARGUMENTS = { status: 'refunded', since: '2026-10-01', limit: 20 };

/** Bytes of all rows that belong to a run, in every table that holds such rows. */
async function bytesOf(database: TestDatabase, runId: string): Promise<number> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'run_id'`,
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['run_events', 'messages']));
  const sizes = [
    'SELECT pg_column_size(r.*) AS bytes FROM runs AS r WHERE id = $1',
    ...tables.map(({ name }) => `SELECT pg_column_size(t.*) AS bytes FROM "${name}" AS t WHERE run_id = $1`),
  ];
  const [all] = await database.query<{ bytes: number }>(
    `SELECT sum(bytes)::int AS bytes FROM (${sizes.join(' UNION ALL ')}) AS written`,
    [runId],
  );
  return all?.bytes ?? 0;
}

/** A run of so many turns: each but the last calls a tool. */
async function play(api: Api, turns: number): Promise<string> {
  const script = {
    turns: [
      { calls: [{ tool: 'echo', arguments: ARGUMENTS }], repeat: turns - 1 },
      { text: 'Two were refunded.' },
    ],
  };
  const run = await startRun(api, { input: JSON.stringify(script) });
  expect((await endOf(api, run.id, 'completed')).usage).toMatchObject({ turns, toolCalls: turns - 1 });
  return run.id;
}

test('what a run stores grows with its turns: one of 200 takes at most 1.3 times what ten of 20 take', async () => {
  const { api } = await createTenant();
  await api.expect(
    201,
    api.post('/v1/tools', {
      name: 'echo',
      description: 'Search orders',
      parameters: { type: 'object', properties: {} },
      effect: 'read',
      fresh: true,
      executor: { type: 'builtin', handler: 'echo' },
    }),
  );
  const limits = { maxTurns: 200, maxToolCalls: 200, deadlineSeconds: 600 };
  await createAgent(api, { model: { provider: 'scripted', model: 'inline' }, tools: ['echo'], limits });
  const database = openDatabase(sharedStack().databaseName);
  const short = await bytesOf(database, await play(api, 20));
  const long = await bytesOf(database, await play(api, 200));
  expect(short).toBeGreaterThan(20 * 500);
  expect(long / (10 * short)).toBeLessThan(1.3);
});
