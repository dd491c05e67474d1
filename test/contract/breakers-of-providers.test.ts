import { type Api, createTenant } from '../support/client.js';
import { createAgent, startRun, testModel, withServers } from '../support/definitions.js';
import { gate } from '../support/gate.js';
import type { ModelReply } from '../support/model-reply.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { type Stack, sharedStack, withStack } from '../support/stack.js';
import type { Page, RunView } from '../support/wire.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

interface BreakerView {
  readonly id: string;
  readonly owner: string;
  readonly state: string;
  readonly failures: number | null;
  readonly lastError: string | null;
  readonly retryAt: string | null;
}

const AWAY: ModelReply = { status: 503, body: '{"error":{"message":"overloaded"}}' };
const DONE: ModelReply = { text: 'Done.' };

const listOf = async (api: Api) => (await api.expect(200, api.get<Page<BreakerView>>('/v1/breakers'))).data;
const waits = (run: RunView) => run.waitingOn?.why === 'provider_unavailable';
const completed = (run: RunView) => run.status === 'completed';

/** A run that waits for a provider is no news that `wait` answers: it goes on by itself. */
async function seen(api: Api, runId: string, until: (run: RunView) => boolean): Promise<RunView> {
  for (;;) {
    const run = await api.expect(200, api.get<RunView>(`/v1/runs/${runId}`));
    if (until(run)) return run;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs until one waits for the provider, which is away; gives it. */
async function openProvider(api: Api, start = () => startRun(api)): Promise<RunView> {
  const lost = await start();
  await api.waitFor(lost.id, (run) => run.status === 'failed');
  return seen(api, (await start()).id, waits);
}

/** The time of every breaker and of whatever waits for one has come. */
async function comeDue({ database }: Pick<Stack, 'database'>, owner: string): Promise<void> {
  await database.query('UPDATE breakers SET retry_at = clock_timestamp() WHERE tenant_id = $1', [owner]);
  await database.query(
    `UPDATE runs SET wake_at = clock_timestamp() WHERE status = 'waiting' AND ($1 = 'deployment' OR tenant_id = $1)`,
    [owner],
  );
}

describe('the breaker of a provider', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld();
    world.model.play(() => AWAY);
  });
  afterEach(() => world.close());

  test('opens after five failures: a run without a fallback waits until it may be tried, and sends nothing', async () => {
    const waiting = await openProvider(world.api);
    expect(world.model.requests).toHaveLength(5);
    const [breaker] = await listOf(world.api);
    expect(breaker).toEqual({
      id: expect.any(String) as unknown,
      kind: 'provider',
      about: { provider: 'openai-compatible', model: 'test-model', baseUrl: world.model.baseUrl },
      owner: 'tenant',
      state: 'open',
      failures: 5,
      lastError: 'overloaded',
      openedAt: expect.any(String) as unknown,
      retryAt: waiting.waitingOn?.until,
    });
    const later = await seen(world.api, (await world.start()).id, waits);
    expect(later.usage.modelCalls).toBe(0);
    expect(world.model.requests).toHaveLength(5);
  });

  test('is passed over at once where there is a fallback', async () => {
    await openProvider(world.api);
    const fallback = await startModelServer([DONE]);
    const model = testModel(world.model);
    const fallbacks = [testModel(fallback)];
    await createAgent(world.api, { name: 'careful', model, fallbacks });
    const { id } = await world.start({ agent: 'careful' });
    expect(await world.api.waitFor(id, completed)).toMatchObject({ usage: { modelCalls: 1 } });
    expect([world.model.requests.length, fallback.requests.length]).toEqual([5, 1]);
    await fallback.close();
  });

  test('lets one of many waiting runs through; the others wait on, and all go on once it is answered', async () => {
    const waiting = [await openProvider(world.api)];
    for (let run = 0; run < 4; run += 1) {
      waiting.push(await seen(world.api, (await world.start()).id, waits));
    }
    const [asked, answer] = [gate(), gate()];
    world.model.play(async (_request, index) => {
      asked.open();
      if (index === 0) await answer.opened;
      return DONE;
    });
    await comeDue(sharedStack(), world.tenantId);
    // Everybody was woken: four wait again, the fifth is with the provider, or on the way there.
    const woken = waiting.map(({ id, seq }) =>
      seen(world.api, id, (run) => run.seq > seq && (waits(run) || completed(run))),
    );
    await Promise.all([asked.opened, Promise.race(woken)]);
    expect(world.model.requests).toHaveLength(6);
    answer.open();
    const runs = await Promise.all(waiting.map(({ id }) => world.api.waitFor(id, completed)));
    await Promise.all(woken);
    expect(runs.slice(1).map(({ usage }) => usage.modelCalls)).toEqual([1, 1, 1, 1]);
    expect(await listOf(world.api)).toEqual([]);
  });

  test('stays open for longer after a probe in vain, and its run waits on', async () => {
    const waiting = await openProvider(world.api);
    for (let probe = 1; probe <= 3; probe += 1) {
      await comeDue(sharedStack(), world.tenantId);
      await seen(world.api, waiting.id, (run) => waits(run) && run.usage.modelCalls === 2 + probe);
      expect(await listOf(world.api)).toMatchObject([{ state: 'open', failures: 5 + probe }]);
    }
    world.model.play([DONE]);
    await comeDue(sharedStack(), world.tenantId);
    await world.api.waitFor(waiting.id, completed);
  });

  test('a reset lets the runs that wait for it go on at once', async () => {
    const waiting = await openProvider(world.api);
    world.model.play([DONE]);
    const [breaker] = await listOf(world.api);
    await world.api.expect(200, world.api.post(`/v1/breakers/${breaker?.id}/reset`, {}));
    await world.api.waitFor(waiting.id, completed, 10);
  });

  test('a run that waits can be cancelled', async () => {
    const waiting = await openProvider(world.api);
    await world.api.expect(202, world.api.post(`/v1/runs/${waiting.id}/cancel`, {}));
    await world.api.waitFor(waiting.id, (run) => run.status === 'cancelled');
    expect(world.model.requests).toHaveLength(5);
  });

  test('is not moved by what is wrong with a request', async () => {
    world.model.play(() => ({ status: 400, body: '{"error":{"message":"no"}}' }));
    for (let run = 0; run < 6; run += 1) {
      await world.api.waitFor((await world.start()).id, ({ status }) => status === 'failed');
    }
    expect(await listOf(world.api)).toEqual([]);
  });

  test('of one tenant, and of one address, is no other\u2019s', async () => {
    await openProvider(world.api);
    const other = await startModelServer([DONE]);
    await createAgent(world.api, { name: 'elsewhere', model: testModel(other) });
    await world.api.waitFor((await world.start({ agent: 'elsewhere' })).id, completed);
    await other.close();

    const stranger = await world.stranger();
    await createAgent(stranger, { model: testModel(world.model) });
    world.model.play([DONE]);
    await stranger.waitFor((await startRun(stranger)).id, completed);
    expect(await listOf(stranger)).toEqual([]);
  });
});

describe('the breaker of what the deployment\u2019s key is sent to', () => {
  const MODEL = { provider: 'openai', api: 'chat', model: 'gpt-4o-mini' };

  async function tenantWith(stack: Stack, agent: object | null): Promise<Api> {
    const { api } = await createTenant({ useDeploymentKeys: true }, stack);
    if (agent !== null) await createAgent(api, { model: agent });
    return api;
  }

  function withDeployment(test: (stack: Stack, model: ModelServer) => Promise<void>): Promise<void> {
    return withServers(async ({ model }) => {
      const env = { OPENAI_API_KEY: 'sk-deployment', OPENAI_BASE_URL: model.baseUrl };
      await withStack({ env }, (stack) => test(stack, model));
    });
  }

  test('is shared by the tenants that use it, tells none of another, and survives its workers', async () => {
    await withDeployment(async (stack, model) => {
      model.play(() => AWAY);
      const [one, two, unconcerned] = await Promise.all([
        tenantWith(stack, MODEL),
        tenantWith(stack, MODEL),
        tenantWith(stack, { ...MODEL, model: 'gpt-4o' }),
      ]);
      const waiting = await openProvider(one);
      expect(model.requests).toHaveLength(5);

      await Promise.all(stack.workers.map((worker) => worker.kill()));
      await stack.startWorker();
      const other = await seen(two, (await startRun(two)).id, waits);
      expect(model.requests).toHaveLength(5);
      const listed = await listOf(two);
      expect(listed).toMatchObject([{ owner: 'deployment', state: 'open', failures: null, lastError: null }]);
      expect(await listOf(one)).toEqual(listed);
      expect(await listOf(unconcerned)).toEqual([]);
      expect(await two.glance('POST', `/v1/breakers/${listed[0]?.id}/reset`, '{}')).toEqual({
        status: 403,
        code: 'set_by_operator',
      });

      const { api: owner } = await createTenant({ useDeploymentKeys: true }, stack);
      await owner.expect(
        200,
        owner.put('/v1/providers/openai', { apiKey: 'sk-own', baseUrl: model.baseUrl }),
      );
      await createAgent(owner, { model: MODEL });
      model.play(() => DONE);
      await owner.waitFor((await startRun(owner)).id, completed);
      expect(await listOf(owner)).toEqual([]);

      await comeDue(stack, 'deployment');
      await one.waitFor(waiting.id, completed);
      await two.waitFor(other.id, completed);
      expect(await listOf(one)).toEqual([]);
    });
  });
});
