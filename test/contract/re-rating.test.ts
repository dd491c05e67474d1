import { randomBytes } from 'node:crypto';
import { admin } from '../support/client.js';
import { testModel } from '../support/definitions.js';
import { approve, endOf } from '../support/runs.js';
import type { RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

interface CallView {
  readonly costUsd: string;
  readonly wasteUsd: string;
  readonly priceVersion: string;
}
interface BudgetView {
  readonly scope: string;
  readonly spentUsd: string;
  readonly overrunUsd: string;
}

const MISTYPED = { inputPerMTok: '2000', cachedInputPerMTok: '500', outputPerMTok: '8000' };
const RIGHT = { inputPerMTok: '2', cachedInputPerMTok: '0.5', outputPerMTok: '8' };
const usage = { prompt_tokens: 1_000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };

describe('POST /admin/v1/models/re-rate', () => {
  let world: RunsWorld;
  let model: string;
  let since: string;

  beforeEach(async () => {
    world = await openRunsWorld();
    model = `model-${randomBytes(6).toString('hex')}`;
    since = (await setPrice(MISTYPED)).validFrom;
    const agent = {
      model: { ...testModel(world.model), model },
      instructions: 'Pay.',
      tools: ['look', 'pay'],
    };
    await world.api.expect(200, world.api.put('/v1/agents/agent', agent));
  });
  afterEach(() => world.close());

  function setPrice(price: object): Promise<{ validFrom: string }> {
    const path = `/admin/v1/models/openai-compatible/${model}`;
    return admin().expect(200, admin().put<{ validFrom: string }>(path, price));
  }

  /** The price was wrong from its first moment on. */
  async function correct(): Promise<unknown> {
    await setPrice({ ...RIGHT, validFrom: since });
    return reRate();
  }

  function reRate(): Promise<unknown> {
    const body = { provider: 'openai-compatible', model, from: since };
    return admin().expect(200, admin().post('/admin/v1/models/re-rate', body));
  }

  const callsOf = (run: RunView) => world.api.all<CallView>(`/v1/runs/${run.id}/model-calls`);
  const budgets = async () =>
    (await world.api.expect(200, world.api.get<{ data: BudgetView[] }>('/v1/budgets'))).data.map(
      ({ scope, spentUsd, overrunUsd }) => [scope, spentUsd, overrunUsd],
    );

  test('what a mistyped price did to runs and budgets is put right, and both costs stay on record', async () => {
    for (const path of ['tenant/month', 'agent:agent/total']) {
      await world.api.expect(200, world.api.put(`/v1/budgets/${path}`, { limitUsd: '20' }));
    }
    world.model.play([{ text: 'Done.', usage }]);
    const run = await endOf(world.api, (await world.start()).id, 'completed');
    expect(run.costUsd).toBe('2.200000');
    await world.api.expect(200, world.api.put('/v1/budgets/tenant/month', { limitUsd: '2' }));
    const blocked = await endOf(world.api, (await world.start()).id, 'failed');
    expect(blocked.statusReason?.code).toBe('budget_exceeded');

    expect(await correct()).toEqual({
      calls: 1,
      changed: 1,
      estimated: 0,
      beforeUsd: '2.200000',
      afterUsd: '0.002200',
    });
    const after = await world.api.expect(200, world.api.get<RunView>(`/v1/runs/${run.id}`));
    expect(after).toMatchObject({ status: 'completed', costUsd: '0.002200', wasteUsd: '0.000000' });
    expect(await callsOf(run)).toMatchObject([{ costUsd: '0.002200', priceVersion: 'operator:2' }]);
    expect(await budgets()).toEqual([
      ['agent:agent', '0.002200', '0.000000'],
      ['tenant', '0.002200', '0.000000'],
    ]);
    expect((await world.api.events(run.id)).at(-1)).toMatchObject({
      type: 'model.re_rated',
      data: {
        priceVersion: 'operator:2',
        costUsd: '0.002200',
        before: { priceVersion: 'operator:1', costUsd: '2.200000', wasteUsd: '0.000000' },
      },
    });
    const trace = await world.api.expect(200, world.api.get<{ spans: object[] }>(`/v1/runs/${run.id}/trace`));
    expect(trace.spans).toContainEqual(expect.objectContaining({ kind: 'model_call', costUsd: '0.002200' }));

    expect(await reRate()).toMatchObject({ changed: 0, beforeUsd: '0.000000', afterUsd: '0.000000' });
    // Within seconds every worker reckons with the corrected price: what was blocked fits again.
    world.model.play(() => ({ text: 'Done.', usage }));
    for (let status = ''; status !== 'completed'; ) {
      const { id } = await world.start();
      ({ status } = await world.api.waitFor(id, ({ finishedAt }) => finishedAt !== null));
    }
  });

  test('a run that is under way goes on with the corrected sum', async () => {
    world.model.play([
      { calls: [{ tool: 'pay', arguments: PAYMENT }], usage },
      { text: 'Done.', usage },
    ]);
    const { id } = await world.start();
    await world.api.waitFor(id, (run) => (run.waitingOn?.approvals.length ?? 0) > 0);
    expect(await correct()).toMatchObject({ changed: 1 });
    const waiting = await world.api.expect(200, world.api.get<RunView>(`/v1/runs/${id}`));
    expect(waiting).toMatchObject({ status: 'waiting', costUsd: '0.002200' });
    await approve(world.api, id);
    const run = await endOf(world.api, id, 'completed');
    const calls = await callsOf(run);
    expect(calls[0]).toMatchObject({ costUsd: '0.002200' });
    const sum = calls.reduce((total, call) => total + Math.round(Number(call.costUsd) * 1e6), 0);
    expect(Math.round(Number(run.costUsd) * 1e6)).toBe(sum);
  });

  test('a call of which nobody knows what it used stays as it was booked', async () => {
    world.model.play([{ text: 'Done.', usage: null }]);
    const run = await endOf(world.api, (await world.start()).id, 'completed');
    expect(await correct()).toMatchObject({ calls: 1, changed: 0, estimated: 1 });
    const after = await world.api.expect(200, world.api.get<RunView>(`/v1/runs/${run.id}`));
    expect(after.costUsd).toBe(run.costUsd);
  });

  test('an attempt that gave no reply stays waste at every price, also after one of nothing', async () => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model };
    const piece = (more: object) => `data: ${JSON.stringify({ ...chunk, ...more })}\n\n`;
    const whole = piece({ choices: [{ index: 0, delta: { content: 'Yes' }, finish_reason: 'stop' }] });
    world.model.play([
      { pieces: [whole, piece({ choices: [], usage }), 'data: {broken\n\n'], end: 'close' },
      { text: 'Done.', usage },
    ]);
    const run = await endOf(world.api, (await world.start()).id, 'completed');
    const wasted = async () => {
      const { wasteUsd } = await world.api.expect(200, world.api.get<RunView>(`/v1/runs/${run.id}`));
      return [wasteUsd, ...(await callsOf(run)).map((call) => call.wasteUsd)];
    };
    expect(await wasted()).toEqual(['2.200000', '2.200000', '0.000000']);
    await setPrice({ inputPerMTok: '0', outputPerMTok: '0', validFrom: since });
    expect(await reRate()).toMatchObject({ changed: 2, afterUsd: '0.000000' });
    expect(await wasted()).toEqual(['0.000000', '0.000000', '0.000000']);
    expect(await correct()).toMatchObject({ changed: 2, afterUsd: '0.004400' });
    expect(await wasted()).toEqual(['0.002200', '0.002200', '0.000000']);
  });

  test('asked for twice at once, each change is reported once', async () => {
    world.model.play(() => ({ text: 'Done.', usage }));
    for (let runs = 0; runs < 5; runs += 1) await endOf(world.api, (await world.start()).id, 'completed');
    await setPrice({ ...RIGHT, validFrom: since });
    const reports = (await Promise.all(Array.from({ length: 6 }, reRate))) as {
      changed: number;
      beforeUsd: string;
    }[];
    expect(reports.reduce((sum, { changed }) => sum + changed, 0)).toBe(5);
    for (const { changed, beforeUsd } of reports) expect(Number(beforeUsd)).toBeCloseTo(changed * 2.2, 9);
  });

  test('is the operator\u2019s alone, and knows models and moments only', async () => {
    const path = '/admin/v1/models/re-rate';
    const body = { provider: 'openai', model: 'gpt-5', from: '2026-01-01T00:00:00Z' };
    expectProblem(await world.api.post(path, body), 401, 'unauthorized');
    expectInvalid(await admin().post(path, { ...body, from: 'yesterday' }), '/from');
    expectInvalid(await admin().post(path, { ...body, provider: 'nobody' }), '/provider');
  });
});
