import { addUsd } from '@countersign/agent-core';
import type {
  CostMetrics,
  EndedRunMetrics,
  FailureMetrics,
  LatencyMetrics,
  OperatorQueue,
} from '@countersign/contracts';
import { type Api, admin } from '../support/client.js';
import { gate } from '../support/gate.js';
import { endOf } from '../support/runs.js';
import type { Page, RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

const sum = (amounts: readonly string[]): string => amounts.reduce(addUsd, '0.000000');

describe('metrics', () => {
  let world: RunsWorld;
  let runs: RunView[];
  beforeAll(async () => {
    world = await openRunsWorld();
    runs = await playRuns();
  });
  afterAll(() => world.close());

  const usage = { prompt_tokens: 1_001, completion_tokens: 77 };

  /** Two runs with a tool, one that is cut off after a failed attempt, and one whose tool fails. */
  async function playRuns(): Promise<RunView[]> {
    const { api, model, tools } = world;
    const play = async (status: string, steps: Parameters<typeof model.play>[0], subject?: string) => {
      model.play(steps);
      const { id } = await world.start(subject === undefined ? {} : { subject: { id: subject } });
      return endOf(api, id, status as 'completed');
    };
    const look = { tool: 'look', arguments: { order: 1 } };
    const first = await play(
      'completed',
      [
        { calls: [look], usage },
        { text: 'Done.', usage },
      ],
      'c1',
    );
    const second = await play('completed', [
      { calls: [look, { ...look, arguments: { order: 2 } }], usage },
      { text: 'Done.', usage },
    ]);
    const third = await play(
      'incomplete',
      [
        { status: 500, body: '{}' },
        { text: 'Cut', finish: 'length', usage },
      ],
      'c1',
    );
    tools.on('look', () => ({ status: 404, body: { detail: 'No such order.' } }));
    const fourth = await play(
      'completed',
      [
        { calls: [look], usage },
        { text: 'None.', usage },
      ],
      'c2',
    );
    return [first, second, third, fourth];
  }

  const read = <Answer>(path: string, api: Api = world.api) => api.expect(200, api.get<Answer>(path));
  const costs = (groupBy: string) => read<CostMetrics>(`/v1/metrics/cost?groupBy=${groupBy}`);
  const listed = async (query: string) => (await read<Page<RunView>>(`/v1/runs?limit=100&${query}`)).data;

  test.each([
    'agent',
    'model',
    'tool',
    'subject',
    'day',
    'day,agent',
    'day,model',
    'day,tool',
    'hour',
    'hour,agent',
  ])('the parts by %s add up to what the runs cost, to the last digit', async (groupBy) => {
    const { data, total } = await costs(groupBy);
    expect(total.costUsd).toBe(sum(runs.map(({ costUsd }) => costUsd)));
    expect(total.wasteUsd).toBe(sum(runs.map(({ wasteUsd }) => wasteUsd)));
    expect(sum(data.map(({ costUsd }) => costUsd))).toBe(total.costUsd);
    expect(data.length).toBeGreaterThan(0);
  });

  test('every part of the costs leads to the runs behind it', async () => {
    const { data, from, to } = await costs('model');
    expect(data.map(({ key }) => key)).toEqual(['openai-compatible/test-model']);
    const behind = await listed(`moment=spent&from=${from}&to=${to}&model=openai-compatible/test-model`);
    expect(sum(behind.map(({ costUsd }) => costUsd))).toBe(data[0]?.costUsd);
    for (const { key, costUsd } of (await costs('subject')).data) {
      const own = behind.filter(({ subject }) => ((subject as { id: string } | null)?.id ?? null) === key);
      expect(sum(own.map((run) => run.costUsd))).toBe(costUsd);
    }
    expect(await listed(`moment=spent&from=${to}`)).toEqual([]);
    expect(await listed('model=openai')).toEqual([]);
    expect((await listed('tool=look')).map(({ id }) => id).sort()).toEqual(
      [runs[0], runs[1], runs[3]].map((run) => run?.id).sort(),
    );
  });

  test('a reply’s cost is divided over the calls that it asked for; replies without a call stand apart', async () => {
    const { data } = await costs('tool');
    const calls = await Promise.all(
      runs.map(({ id }) =>
        world.api.all<{ turn: number | null; costUsd: string }>(`/v1/runs/${id}/model-calls`),
      ),
    );
    const asking = [0, 1, 3].map((index) => calls[index]?.find(({ turn }) => turn === 1)?.costUsd ?? '');
    expect(data.find(({ key }) => key === 'look')?.costUsd).toBe(sum(asking));
    expect(data.find(({ key }) => key === null)).toMatchObject({ others: false });
  });

  test('runs are counted by how they ended, with what those cost', async () => {
    const { data, total } = await read<EndedRunMetrics>('/v1/metrics/runs');
    expect(data.map(({ key, runs: ended }) => [key, ended])).toEqual([
      ['completed', 3],
      ['incomplete', 1],
    ]);
    expect(total).toMatchObject({ runs: 4, costUsd: sum(runs.map(({ costUsd }) => costUsd)) });
    const cut = await listed('moment=ended&status=incomplete&reason=max_tokens');
    expect(cut.map(({ id }) => id)).toEqual([runs[2]?.id]);
  });

  test('failures are told by reason, tool and provider, each with its causes', async () => {
    const failures = (groupBy: string) => read<FailureMetrics>(`/v1/metrics/failures?groupBy=${groupBy}`);
    expect(await failures('reason')).toMatchObject({
      total: 4,
      failures: 1,
      data: [{ key: 'max_tokens', total: 4, failures: 1, causes: [{ code: 'incomplete', failures: 1 }] }],
    });
    expect(await failures('tool')).toMatchObject({
      total: 4,
      data: [{ key: 'look', total: 4, failures: 1, causes: [{ code: expect.any(String), failures: 1 }] }],
    });
    expect(await failures('provider')).toMatchObject({
      total: 8,
      data: [{ key: 'openai-compatible', total: 8, failures: 1 }],
    });
    expect((await listed('moment=failed&tool=look')).map(({ id }) => id)).toEqual([runs[3]?.id]);
    expect((await listed('moment=failed&model=openai-compatible')).map(({ id }) => id)).toEqual([
      runs[2]?.id,
    ]);
  });

  test('latency is told of waits for a worker, replies and tools', async () => {
    const { queueWait, model, tool, approvalWait } = await read<LatencyMetrics>('/v1/metrics/latency');
    expect([queueWait.count, model.count, tool.count, approvalWait.count]).toEqual([4, 7, 4, 0]);
    expect(model).toEqual({
      count: 7,
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
      p99Ms: expect.any(Number),
    });
    expect(approvalWait).toEqual({ count: 0, p50Ms: null, p95Ms: null, p99Ms: null });
  });

  test('approvals are counted by the rule that asked, with those that wait', async () => {
    const own = await openRunsWorld();
    const paid = await own.startPayment();
    const approvals = () => read('/v1/metrics/approvals', own.api);
    expect(await approvals()).toMatchObject({ pending: 1, approved: 0, rules: [] });
    expect(await read('/v1/metrics/present', own.api)).toMatchObject({ queued: 0, running: 0, waiting: 1 });
    const id = paid.waitingOn?.approvals[0];
    const { argumentsDigest } = await read<{ argumentsDigest: string }>(`/v1/approvals/${id}`, own.api);
    await own.api.expect(
      200,
      own.api.post(`/v1/approvals/${id}/decision`, { decision: 'approve', argumentsDigest }),
    );
    await endOf(own.api, paid.id, 'completed');
    expect(await approvals()).toMatchObject({
      pending: 0,
      approved: 1,
      edited: 0,
      decisionTime: { count: 1 },
      rules: [{ tool: 'pay', policyRule: expect.any(String), approved: 1 }],
    });
    await own.close();
  });

  test('the operator sees the same figures of a tenant, and tenants side by side', async () => {
    const operator = admin();
    const own = await costs('agent');
    const { tenantId } = world;
    const query = `from=${own.from}&to=${own.to}`;
    expect(await read(`/admin/v1/metrics/cost?groupBy=agent&tenant=${tenantId}&${query}`, operator)).toEqual(
      own,
    );
    const side = await read<CostMetrics>(`/admin/v1/metrics/cost?groupBy=tenant&${query}`, operator);
    expect(side.data.find(({ key }) => key === tenantId)).toMatchObject(own.total);
    expect(await read(`/admin/v1/metrics/present?tenant=${tenantId}`, operator)).toEqual({
      data: [{ tenant: tenantId, queued: 0, running: 0, waiting: 0, oldestQueuedAt: null }],
    });
    for (const name of ['runs', 'failures', 'latency', 'approvals']) {
      const [mine, seen] = await Promise.all([
        read(`/v1/metrics/${name}?${query}`),
        read(`/admin/v1/metrics/${name}?tenant=${tenantId}&${query}`, operator),
      ]);
      expect(seen).toEqual(mine);
    }
  });

  test('the operator sees who waits for a worker, and which workers hold runs', async () => {
    const own = await openRunsWorld();
    const [asked, answered] = [gate(), gate()];
    own.model.play(async () => {
      asked.open();
      await answered.opened;
      return { text: 'Done.' };
    });
    const { id } = await own.start();
    await asked.opened;
    const { data, workers } = await read<OperatorQueue>('/admin/v1/queue', admin());
    expect(data.find(({ tenant }) => tenant === own.tenantId)).toEqual({
      tenant: own.tenantId,
      queued: 0,
      running: 1,
      oldestQueuedAt: null,
    });
    expect(workers.some(({ running }) => running > 0)).toBe(true);
    expectProblem(await own.api.get('/admin/v1/queue'), 401, 'unauthorized');
    answered.open();
    await endOf(own.api, id, 'completed');
    await own.close();
  });

  test('nothing of another tenant is counted', async () => {
    const stranger = await world.stranger();
    expect(await read('/v1/metrics/cost', stranger)).toMatchObject({
      total: { costUsd: '0.000000' },
      data: [],
    });
    expect(await read('/v1/metrics/present', stranger)).toMatchObject({ queued: 0 });
    expectProblem(await stranger.get('/admin/v1/metrics/cost'), 401, 'unauthorized');
  });

  test.each([
    ['cost?groupBy=price', 'groupBy'],
    ['cost?groupBy=tenant', 'groupBy'],
    ['cost?tenant=other', 'tenant'],
    ['runs?groupBy=tool', 'groupBy'],
    ['failures?groupBy=day', 'groupBy'],
    ['latency?groupBy=day', 'groupBy'],
    ['cost?from=yesterday', 'from'],
    ['cost?from=2026-10-21T09:30:00Z', 'from'],
    ['cost?to=2026-10-21T09:00:00.001Z', 'to'],
    ['approvals?from=2026-10-21T09:00:00Z&to=2026-10-21T09:00:00Z', 'from'],
    ['cost?groupBy=hour&from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z', 'from'],
    ['latency?from=2025-01-01T00:00:00Z&to=2026-01-03T00:00:00Z', 'from'],
  ])('%s is refused by its path', async (path, at) => {
    expectInvalid(await world.api.get(`/v1/metrics/${path}`), at);
  });
});
