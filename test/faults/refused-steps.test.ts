import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import { approve, callOf, endOf } from '../support/runs.js';
import { type Stack, startStack } from '../support/stack.js';

/** A word that this stack's database refuses in an event, for ever: what a defect of ours would look like. */
const POISON = 'spoiled-by-a-defect';

const GONE = 99;
const UNREADABLE = 98;

/** Runs of the operations `gone` and `unreadable` begin with versions that are what they are called. */
const DEFINITIONS_AWAY = [
  `CREATE FUNCTION take_version() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN NEW.agent_version := CASE NEW.operation_id WHEN 'gone' THEN ${GONE} ELSE ${UNREADABLE} END; RETURN NEW; END $$`,
  `CREATE TRIGGER take_version BEFORE INSERT ON runs FOR EACH ROW
   WHEN (NEW.operation_id IN ('gone', 'unreadable')) EXECUTE FUNCTION take_version()`,
  'ALTER FUNCTION definitions_of RENAME TO definitions_as_they_are',
  `CREATE FUNCTION definitions_of(p_tenant text, p_agent text, p_version int, p_tools json) RETURNS text
   LANGUAGE plpgsql AS $$ BEGIN
     IF p_version = ${UNREADABLE} THEN RAISE 'unreadable'; END IF;
     RETURN definitions_as_they_are(p_tenant, p_agent, p_version, p_tools);
   END $$`,
];

interface Budget {
  readonly spentUsd: string;
  readonly reservedUsd: string;
}

describe('what can never succeed ends its run, and is not paid for again', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '1' } });
    await stack.database.query(
      `ALTER TABLE run_events ADD CONSTRAINT poison CHECK (position('${POISON}' in data) = 0)`,
    );
    for (const statement of DEFINITIONS_AWAY) await stack.database.query(statement);
  });
  afterAll(() => stack.stop());

  test('a reply that Postgres refuses: failed internal after one call, its reservation settled in full', () =>
    withServers(async ({ model }) => {
      const { api } = await createTenant({ monthlyBudgetUsd: '10' }, stack);
      await createAgent(api, { model: testModel(model) });
      model.play(() => ({ text: POISON }));
      const { id } = await startRun(api);
      const run = await endOf(api, id, 'failed');
      expect(run.statusReason?.code).toBe('internal');
      expect(model.requests).toHaveLength(1);
      expect(run.costUsd).toBe(run.wasteUsd);
      expect(run.usage.estimated).toBe(true);
      expect(run.budget.reservedUsd).toMatch(/^0\.0+$/);
      const budgets = await api.expect(200, api.get<{ data: readonly Budget[] }>('/v1/budgets'));
      expect(budgets.data).toMatchObject([
        { spentUsd: run.costUsd, reservedUsd: expect.stringMatching(/^0\.0+$/) },
      ]);
    }));

  test('an outcome that Postgres refuses: a person is asked, the effect is not repeated, the run fails internal', () =>
    withServers(async ({ model, tools }) => {
      const { api } = await createTenant({}, stack);
      await createTool(api, tools, { name: 'send', effect: 'once' });
      await createAgent(api, { model: testModel(model), tools: ['send'] });
      tools.on('send', (request) => {
        tools.apply(request, POISON);
        return { status: 200, body: POISON };
      });
      model.play([{ calls: [{ id: 'call_1', tool: 'send', arguments: {} }] }]);
      const { id } = await startRun(api);
      await approve(api, id);
      const { waitingOn } = await api.waitFor(id, (run) => (run.waitingOn?.outcomes.length ?? 0) > 0);
      const call = await callOf(api, id, 'send');
      expect(waitingOn?.outcomes).toEqual([call.id]);
      await api.expect(200, api.post(`/v1/runs/${id}/tool-calls/${call.id}/outcome`, { happened: true }));
      expect((await endOf(api, id, 'failed')).statusReason?.code).toBe('internal');
      expect(await callOf(api, id, 'send')).toMatchObject({ status: 'succeeded' });
      expect([...tools.effects.values()]).toEqual([1]);
      expect(model.requests).toHaveLength(1);
    }));

  test('a run whose agent version is gone ends at once, and others go on', () =>
    withServers(async ({ model }) => {
      const { api } = await createTenant({}, stack);
      await createAgent(api, { model: testModel(model) });
      model.play(() => ({ text: 'Done.' }));
      const gone = await startRun(api, { operationId: 'gone' });
      const other = await startRun(api);
      await endOf(api, other.id, 'completed');
      const run = await endOf(api, gone.id, 'failed');
      expect(run.statusReason?.code).toBe('agent_invalid');
      const claims = (await api.events(gone.id)).filter(({ type }) => /^run.(started|resumed)$/.test(type));
      expect(claims).toHaveLength(1);
    }));

  test('a run whose definitions cannot be read is lost five times, not for ever', () =>
    withServers(async ({ model }) => {
      const { api } = await createTenant({}, stack);
      await createAgent(api, { model: testModel(model) });
      model.play(() => ({ text: 'Done.' }));
      const { id } = await startRun(api, { operationId: 'unreadable' });
      const others = await Promise.all([1, 2, 3].map(() => startRun(api)));
      for (const other of others) await endOf(api, other.id, 'completed');
      const run = await endOf(api, id, 'failed');
      expect(run.statusReason?.code).toBe('worker_lost');
    }));

  test('a run whose rules cannot be read is lost five times, not for ever', () =>
    withServers(async ({ model }) => {
      const { api, tenant } = await createTenant({}, stack);
      await createAgent(api, { model: testModel(model) });
      await stack.database.query('ALTER FUNCTION rules_of RENAME TO rules_as_they_are');
      await stack.database.query(
        `CREATE FUNCTION rules_of(p_tenant text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
           IF p_tenant = '${tenant.id}' THEN RAISE 'unreadable'; END IF;
           RETURN rules_as_they_are(p_tenant);
         END $$`,
      );
      const { id } = await startRun(api);
      expect((await endOf(api, id, 'failed')).statusReason?.code).toBe('worker_lost');
      expect(model.requests).toHaveLength(0);
    }));
});
