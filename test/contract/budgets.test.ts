import { admin, createTenant } from '../support/client.js';
import { endOf } from '../support/runs.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld } from './runs-world.js';

interface BudgetView {
  readonly scope: string;
  readonly period: string;
  readonly limitUsd: string;
  readonly resetsAt: string | null;
}

describe('budgets', () => {
  test('are set by scope and period, and listed with what is used of them', async () => {
    const { api } = await createTenant();
    const set = await api.expect(200, api.put('/v1/budgets/agent:support/month', { limitUsd: '12.5' }));
    expect(set).toEqual({
      scope: 'agent:support',
      period: 'month',
      setBy: 'tenant',
      limitUsd: '12.500000',
      spentUsd: '0.000000',
      reservedUsd: '0.000000',
      overrunUsd: '0.000000',
      resetsAt: expect.stringMatching(/-01T00:00:00\.000Z$/),
    });
    await api.expect(200, api.put('/v1/budgets/tenant/day', { limitUsd: '1' }));
    await api.expect(
      200,
      api.put(`/v1/budgets/${encodeURIComponent('subject:c/1')}/total`, { limitUsd: '0' }),
    );
    await api.expect(200, api.put('/v1/budgets/tenant/day', { limitUsd: '0.0000003750' }));
    const { body } = await api.get<{ data: BudgetView[] }>('/v1/budgets');
    expect(body.data.map(({ scope, period, limitUsd }) => [scope, period, limitUsd])).toEqual([
      ['agent:support', 'month', '12.500000'],
      ['subject:c/1', 'total', '0.000000'],
      ['tenant', 'day', '0.000000375'],
    ]);
    expect(body.data[1]?.resetsAt).toBeNull();
  });

  test('the operator\u2019s can be lowered by the tenant, not raised', async () => {
    const { api, tenant } = await createTenant({ monthlyBudgetUsd: '10' });
    expect((await api.get<{ data: object[] }>('/v1/budgets')).body.data).toEqual([
      expect.objectContaining({ scope: 'tenant', period: 'month', setBy: 'operator', limitUsd: '10.000000' }),
    ]);
    expectProblem(await api.put('/v1/budgets/tenant/month', { limitUsd: '10.01' }), 403, 'set_by_operator');
    const lowered = await api.expect(200, api.put('/v1/budgets/tenant/month', { limitUsd: '5' }));
    expect(lowered).toMatchObject({ limitUsd: '5.000000' });
    await admin().expect(200, admin().patch(`/admin/v1/tenants/${tenant.id}`, { monthlyBudgetUsd: '20' }));
    expect((await api.get<{ data: object[] }>('/v1/budgets')).body.data).toEqual([
      expect.objectContaining({ setBy: 'operator', limitUsd: '20.000000' }),
    ]);
  });

  test('a provider that reports more than was reserved shows as overrun, and blocks what follows', async () => {
    const world = await openRunsWorld();
    try {
      await world.api.expect(200, world.api.put('/v1/budgets/tenant/month', { limitUsd: '0.02' }));
      world.model.play([{ text: 'Much.', usage: { prompt_tokens: 1_000, completion_tokens: 5_000 } }]);
      const run = await endOf(world.api, (await world.start()).id, 'completed');
      expect(run.costUsd).toBe('0.042000');
      const [call] = await world.api.all<{ reservedUsd: string }>(`/v1/runs/${run.id}/model-calls`);
      const [budget] = (await world.api.get<{ data: { [field: string]: string }[] }>('/v1/budgets')).body
        .data;
      expect(budget).toMatchObject({ spentUsd: '0.042000', reservedUsd: '0.000000' });
      const beyond = 42_000 - Math.round(Number(call?.reservedUsd) * 1e6);
      expect(beyond).toBeGreaterThan(0);
      expect(Math.round(Number(budget?.overrunUsd) * 1e6)).toBe(beyond);
      const blocked = await endOf(world.api, (await world.start()).id, 'failed');
      expect(blocked).toMatchObject({ statusReason: { code: 'budget_exceeded' }, costUsd: '0.000000' });
      expect(blocked.statusReason?.message).toMatch(
        /^The next model call may cost up to \$0\.\d{6,}, and the budget tenant\/month has \$0\.042000 of \$0\.020000 spent\.$/,
      );
      expect(world.model.requests).toHaveLength(1);
    } finally {
      await world.close();
    }
  });

  test.each([
    '/v1/budgets/team/day',
    '/v1/budgets/tenant/year',
    '/v1/budgets/agent:/day',
    '/v1/budgets/subject:/day',
  ])('%s is no budget', async (path) => {
    const { api } = await createTenant();
    expectProblem(await api.put(path, { limitUsd: '1' }), 404, 'not_found');
  });

  test.each([
    {},
    { limitUsd: 1 },
    { limitUsd: '-1' },
    { limitUsd: '1e3' },
    { limitUsd: 'NaN' },
    { limitUsd: '01' },
  ])('%j is invalid', async (body) => {
    const { api } = await createTenant();
    expectInvalid(await api.put('/v1/budgets/tenant/day', body), '/limitUsd');
  });

  test('are nobody else\u2019s', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    await one.api.expect(200, one.api.put('/v1/budgets/tenant/day', { limitUsd: '1' }));
    expect((await other.api.get<{ data: object[] }>('/v1/budgets')).body.data).toEqual([]);
  });
});
