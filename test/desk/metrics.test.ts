import { addUsd, formatUsd, parseUsd } from '@countersign/agent-core';
import type { CostMetrics } from '@countersign/contracts';
import type { Page } from 'playwright-core';
import { admin } from '../support/client.js';
import { newEmail } from '../support/people.js';
import { endOf } from '../support/runs.js';
import type { Page as List, RunView } from '../support/wire.js';
import { changeLook, describeInBrowser, THEMES } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { seriousFaults, sidewaysScroll } from './looks.js';

const usage = { prompt_tokens: 1_001, completion_tokens: 77 };

describeInBrowser('the metrics', () => {
  let desk: Desk;
  let tenantId: string;
  beforeAll(async () => {
    desk = await openDesk();
    for (const end of ['stop', 'stop', 'length'] as const) {
      desk.model.play([{ text: 'Done.', finish: end, usage }]);
      const { id } = await desk.start('Where is my order?', { agent: 'played', budgetUsd: '0.50' });
      await endOf(desk.api, id, end === 'stop' ? 'completed' : 'incomplete');
    }
    await desk.start('Where is my order?');
    await desk.api.expect(200, desk.api.put('/v1/budgets/tenant/month', { limitUsd: '2.00' }));
    const me = await desk.api.get<{ tenant: { id: string } }>('/v1/me');
    tenantId = me.body.tenant.id;
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  const costs = async (groupBy: string) =>
    (await desk.api.get<CostMetrics>(`/v1/metrics/cost?groupBy=${groupBy}`)).body;
  const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
  const row = (page: Page, tableName: string, text: string) =>
    table(page, tableName).getByRole('row').filter({ hasText: text });
  /** Amounts as they are kept behind what is shown, in the order of the page. */
  const amounts = (within: ReturnType<typeof row>) =>
    within.locator('data').evaluateAll((all) => all.map((each) => each.getAttribute('value') ?? ''));
  const usd = (amount: string) => formatUsd(parseUsd(amount));

  test('what is shown is what the API says, and what the runs behind it cost, to the last digit', async () => {
    const page = await desk.visit('operator', '/metrics');
    const agent = row(page, 'Agent', 'played');
    await agent.waitFor();
    const { data, total, from, to } = await costs('agent');
    const played = data.find(({ key }) => key === 'played')?.costUsd;
    expect((await amounts(agent)).map(usd)).toEqual([played]);

    await page.getByRole('button', { name: 'Show the table behind it' }).click();
    const [today = ''] = await amounts(table(page, 'Spend by day').getByRole('row').nth(1));
    expect(usd(today)).toBe(total.costUsd);
    await page.getByRole('button', { name: 'Show the chart' }).click();

    await agent.getByRole('link', { name: 'played' }).click();
    await page.waitForURL((url) => url.pathname === '/runs');
    await page.locator('[data-index="2"]').waitFor();
    const shown = await page
      .locator('[data-index] data')
      .evaluateAll((all) => all.map((each) => each.getAttribute('value') ?? ''));
    expect(shown).toHaveLength(3);
    expect(shown.reduce(addUsd, '0.000000')).toBe(played);
    const query = `moment=spent&agent=played&from=${from}&to=${to}`;
    const behind = (await desk.api.get<List<RunView>>(`/v1/runs?${query}`)).body.data;
    expect(behind.map(({ costUsd }) => costUsd).reduce(addUsd, '0.000000')).toBe(played);
  });

  test('a column of the chart, an ending and a reason lead to their runs', async () => {
    const page = await desk.visit('viewer', '/metrics');
    const columns = page.locator('section[aria-label^="Spend by day"] a');
    await columns.last().waitFor();
    const { total } = await costs('day');
    expect(await columns.last().getAttribute('data-hint')).toContain(`$${total.costUsd.replace(/0+$/, '')}`);
    expect(await columns.count()).toBe(30);
    await columns.last().click();
    await page.waitForURL((url) => url.searchParams.get('moment') === 'spent');
    await page.locator('[data-index="2"]').waitFor();
    await page.goBack();
    await row(page, 'Runs by how they ended', 'Incomplete').getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('status') === 'incomplete');
    await page.locator('[data-index="0"]').waitFor();
    expect(await page.locator('[data-index]').count()).toBe(1);
    await page.goBack();
    const reason = row(page, 'Runs by reason', 'max_tokens');
    const share = await reason.getByRole('cell').first().textContent();
    const length = await reason.locator('[style*="width"]').getAttribute('style');
    expect(Number.parseFloat(length?.replace('width: ', '') ?? '').toFixed(1)).toBe(share?.replace(' %', ''));
    await reason.getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('reason') === 'max_tokens');
    await page.getByRole('button', { name: /Reason.*max_tokens/ }).waitFor();
    await page.locator('[data-index="0"]').waitFor();
    expect(await page.locator('[data-index]').count()).toBe(1);
  });

  test('a column is as high as its sum stands on the axis, below a dollar and above', async () => {
    const chart = (page: Page) => page.locator('section[aria-label^="Spend by day"]');
    const drawn = (page: Page) =>
      page.evaluate<{ axis: number; top: number; column: number }>(`(() => {
        const section = document.querySelector('section[aria-label^="Spend by day"]');
        const highest = [...section.querySelectorAll('[style*="bottom"]')].at(-1);
        const base = highest.parentElement.getBoundingClientRect().bottom;
        const above = (element) => base - element.getBoundingClientRect().top;
        const parts = [...section.querySelectorAll('a')].at(-1).querySelectorAll('span > span');
        return {
          axis: Number(highest.textContent.replace('$', '')),
          top: above(highest),
          column: Math.max(...[...parts].map(above)),
        };
      })()`);
    for (const [tokens, least, most] of [
      [40_000, 0, 1],
      [600_000, 1, 2],
    ] as const) {
      desk.model.play([{ text: 'Done.', usage: { prompt_tokens: tokens, completion_tokens: 10 } }]);
      const { id } = await desk.start('Where is my order?', { agent: 'played', budgetUsd: '1.50' });
      await endOf(desk.api, id, 'completed');
      const total = Number((await costs('day')).total.costUsd);
      expect(total).toBeGreaterThan(least);
      expect(total).toBeLessThan(most);
      const page = await desk.visit('viewer', '/metrics');
      await chart(page).locator('a').last().waitFor();
      const { axis, top, column } = await drawn(page);
      expect(Math.abs(column - (total / axis) * top)).toBeLessThan(2);
    }
  });

  test('the URL says what is shown: the time, and what spending is told apart by', async () => {
    const page = await desk.visit('viewer', '/metrics?range=24h&by=model');
    await row(page, 'Model', 'openai-compatible/test-model').waitFor();
    expect(await page.locator('section[aria-label^="Spend by hour"] a').count()).toBe(24);
    await page.getByRole('button', { name: /Spend by.*Model/ }).click();
    await page.getByRole('menuitemradio', { name: 'Tool' }).click();
    await page.waitForURL((url) => url.searchParams.get('by') === 'tool');
    await row(page, 'Tool', 'No tool asked for').waitFor();
  });

  test('an operator of the platform sees all tenants, and one of them', async () => {
    const email = newEmail();
    const made = await admin().expect(
      201,
      admin().post<{ password: string }>('/admin/v1/operators', { email, name: 'Pia Platform' }),
    );
    const page = await desk.window();
    await page.goto('/sign-in?next=/metrics');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(made.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname === '/metrics');
    await table(page, 'Agent').waitFor();
    await page.goto(`/metrics?of=${tenantId}`);
    const agent = row(page, 'Agent', 'played');
    await agent.waitFor();
    const played = (await costs('agent')).data.find(({ key }) => key === 'played')?.costUsd;
    expect((await amounts(agent)).map(usd)).toEqual([played]);
    await page.goto('/metrics?by=tenant');
    await table(page, 'Tenant').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('it is accessible and fits on a phone, in each theme', async () => {
    const page = await desk.visit('viewer', '/metrics', { width: 'narrow' });
    await row(page, 'Agent', 'played').waitFor();
    await table(page, 'Providers by rate of failed attempts').waitFor();
    for (const behind of [false, true]) {
      if (behind) {
        await page.getByRole('button', { name: 'Show the table behind it' }).click();
        await table(page, 'Spend by day').waitFor();
      }
      for (const theme of THEMES) {
        await changeLook(page, { width: 'narrow', theme });
        expect({ theme, faults: await seriousFaults(page) }).toEqual({ theme, faults: [] });
      }
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });

  test('an open circuit breaker says what is not called, and whoever works here closes it', async () => {
    desk.model.play(() => ({ status: 503, body: '{"error":{"message":"overloaded"}}' }));
    const lost = await desk.start('Where is my order?', { agent: 'played' });
    await endOf(desk.api, lost.id, 'failed');
    const waiting = await desk.start('Where is my order?', { agent: 'played' });
    const breakers = (page: Page) => page.getByRole('list', { name: 'Circuit breakers' });
    const page = await desk.visit('operator', '/metrics');
    await breakers(page).getByText('Open', { exact: true }).waitFor();
    await breakers(page).getByText('5 failures running').waitFor();
    const watching = await desk.visit('viewer', '/metrics');
    await breakers(watching).waitFor();
    expect(await watching.getByRole('button', { name: 'Reset test-model' }).count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    desk.model.play([{ text: 'Done.' }]);
    await page.getByRole('button', { name: 'Reset test-model' }).click();
    await page.getByText('Tools and providers answer.').waitFor();
    await endOf(desk.api, waiting.id, 'completed');
  });
});
