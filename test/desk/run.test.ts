import type { Page } from 'playwright-core';
import { gate } from '../support/gate.js';
import { approvalOf, approve, decide, endOf } from '../support/runs.js';
import { changeLook, describeInBrowser, THEMES } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { keepPicture, seriousFaults, sidewaysScroll } from './looks.js';

const LOOK_UP = { calls: [{ tool: 'search_orders', arguments: { since: '2026-09-01' } }] };

const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const STOP = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null })}\n\ndata: [DONE]\n\n`;

describeInBrowser('the page of a run', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  /** A run of the script that waits for the signature under the refund of an order of its own. */
  const startRefund = async (): Promise<string> => {
    const order = desk.database.place({ customerId: 'C-1001', total: '49.99', date: '2026-09-28' });
    const { id } = await desk.start(`Please refund order ${order.orderId}.`);
    await approvalOf(desk.api, id);
    return id;
  };
  /** A run that ended because its model would not answer any more. */
  const startBroken = async (): Promise<string> => {
    desk.model.play([LOOK_UP]);
    const { id } = await desk.start('Where is my order?', { agent: 'played' });
    await endOf(desk.api, id, 'failed');
    return id;
  };
  const panel = (page: Page) => page.getByRole('complementary');

  test('it follows a run: what the model writes, who decided, and how it ended', async () => {
    const runId = await startRefund();
    const page = await desk.visit('viewer', `/runs/${runId}`);
    await page.getByText('Waits for a person').first().waitFor();
    await page.getByText('A refund needs the signature of a person.').waitFor();
    await approve(desk.api, runId);
    await page.getByText('First key approved').waitFor();
    await page.getByText(/^Order \d+ was refunded: \$49\.99\.$/).waitFor();
    await page.getByText('Waits for a person').first().waitFor({ state: 'detached' });
  });

  test('text appears while the model writes it', async () => {
    const [reading, half] = [gate(), gate()];
    desk.model.play([
      { pieces: [reading.opened, delta('Half of a'), half.opened, delta(' sentence.'), STOP], end: 'close' },
    ]);
    const { id } = await desk.start('Say something.', { agent: 'played' });
    const page = await desk.visit('viewer', `/runs/${id}`);
    await page.getByText('Asking the model').waitFor();
    reading.open();
    await page.getByText('Half of a', { exact: true }).waitFor();
    half.open();
    await page.getByText('Half of a sentence.', { exact: true }).waitFor();
    await endOf(desk.api, id, 'completed');
  });

  test('a run that failed says why, and shows where', async () => {
    const page = await desk.visit('viewer', `/runs/${await startBroken()}`);
    await page.getByRole('button', { name: 'Show where' }).click();
    await page.waitForURL((url) => url.searchParams.get('span')?.startsWith('mdl_') === true);
    await panel(page).getByText('bad_request').waitFor();
    await panel(page).getByText('New since the reply before').waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
  });

  test('a call that a person rejected says who and why, and all of it stands in its span', async () => {
    const runId = await startRefund();
    const approval = await approvalOf(desk.api, runId);
    await decide(desk.api, approval, { decision: 'reject', message: 'Returns ended \u202Eyesterday.' });
    await endOf(desk.api, runId, 'completed');
    const page = await desk.visit('viewer', `/runs/${runId}`);
    await page.getByRole('button', { name: '1 problem' }).waitFor();
    await page.keyboard.press('n');
    await panel(page).getByRole('heading', { name: 'Turn 3, refund_order' }).waitFor();
    await panel(page).getByRole('list', { name: 'Checks' }).getByText('Policy').waitFor();
    await panel(page).getByText('First key rejected it').waitFor();
    await panel(page).getByText('U+202E').waitFor();
    await panel(page).getByText('http:refund_order@1').waitFor();
  });

  test('tabs have keys and stand in the URL; keys move from span to span', async () => {
    const runId = await startRefund();
    await approve(desk.api, runId);
    await endOf(desk.api, runId, 'completed');
    const page = await desk.visit('viewer', `/runs/${runId}`);
    await page.getByText(/was refunded/).waitFor();
    await page.keyboard.press('2');
    await page.waitForURL((url) => url.searchParams.get('tab') === 'timeline');
    const row = (name: RegExp) => page.getByRole('list', { name: 'Timeline' }).getByRole('button', { name });
    await row(/Waits for approval/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await panel(page).getByText('What was sent').waitFor();
    await page.keyboard.press('j');
    await panel(page).getByRole('heading', { name: 'Turn 1, search_orders' }).waitFor();
    await page.keyboard.press('3');
    await page.getByLabel('Search the events').fill('was refunded');
    await page.waitForURL((url) => url.searchParams.get('text') === 'was refunded');
    const events = page.getByRole('list', { name: 'Events' }).getByRole('button');
    await page.getByText(/^2 of \d+ events$/).waitFor();
    await events.filter({ hasText: 'run.finished' }).click();
    await page.getByText('completed', { exact: true }).waitFor();
  });

  test('the next problem takes the focus along, and keys go on from there', async () => {
    const page = await desk.visit('viewer', `/runs/${await startBroken()}?tab=timeline`);
    await page.getByRole('button', { name: '1 problem' }).waitFor();
    await page.getByRole('list', { name: 'Timeline' }).getByRole('button').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    await panel(page).getByText('bad_request').waitFor();
    await page.keyboard.press('k');
    await panel(page).getByRole('heading', { name: 'Turn 1, search_orders' }).waitFor();
  });

  test('the timeline holds each span of the trace, the two being told of the same events', async () => {
    const runId = await startRefund();
    const approval = await approvalOf(desk.api, runId);
    await desk.api.expect(200, decide(desk.api, approval, { decision: 'approve', holdSeconds: 1 }));
    await endOf(desk.api, runId, 'completed');
    const trace = await desk.api.get<{ spans: { id: string }[] }>(`/v1/runs/${runId}/trace`);
    const page = await desk.visit('viewer', `/runs/${runId}?tab=timeline`);
    const rows = page.getByRole('list', { name: 'Timeline' });
    await rows.getByText('May be undone').waitFor();
    const shown = await rows
      .locator('[data-id]')
      .evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
    expect(shown.toSorted()).toEqual(trace.body.spans.map(({ id }) => id).toSorted());
  });

  test('an operator runs it again and cancels what begins; a viewer can do neither', async () => {
    const runId = await startRefund();
    const viewer = await desk.signIn('viewer', `/runs/${runId}`);
    await viewer.page.getByRole('button', { name: 'Copy as curl' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /Run it again|Cancel the run/ }).count()).toBe(0);
    const { page } = await desk.signIn('operator', `/runs/${runId}`);
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run it again' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/runs/run_') && !url.pathname.endsWith(runId));
    await page.getByText(/^Please refund order/).waitFor();
    await page.getByText('Waits for a person').first().waitFor();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByText('You asked to cancel').waitFor();
    await page.getByRole('button', { name: 'Cancel the run' }).waitFor({ state: 'detached' });
  });

  test('a text of a megabyte is shown in part, all of it when asked, and holds nothing up', async () => {
    const word = 'x'.repeat(1_000_000);
    desk.model.play([{ text: 'Too long to read.' }]);
    const { id } = await desk.start(word, { agent: 'played' });
    await endOf(desk.api, id, 'completed');
    const page = await desk.visit('viewer', `/runs/${id}`);
    const drawn = () => page.evaluate<number>('document.body.textContent.length');
    const all = page.getByRole('button', { name: 'Show all (1.0 MB)' });
    await all.waitFor();
    expect(await drawn()).toBeLessThan(100_000);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
    await all.waitFor();
    expect(await drawn()).toBeLessThan(100_000);
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await all.click();
    await all.waitFor({ state: 'detached' });
    expect(await drawn()).toBeGreaterThan(word.length);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByRole('button', { name: 'Copy all of it' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(word);
  });

  test('a result of many values is drawn when it is opened, a part at a time', async () => {
    const orders = Array.from({ length: 500 }, (_, orderId) => orderId);
    desk.tools.on('search_orders', () => ({ status: 200, body: { orders } }));
    desk.model.play([LOOK_UP, { text: 'Many.' }]);
    const { id } = await desk.start('Where is my order?', { agent: 'played' });
    await endOf(desk.api, id, 'completed');
    desk.tools.on('search_orders', desk.shop('/search_orders'));
    const page = await desk.visit('viewer', `/runs/${id}`);
    const values = page.locator('details li li');
    const result = page.locator('summary').filter({ hasText: 'Result' });
    await result.waitFor();
    expect(await values.count()).toBe(0);
    await result.click();
    await page.getByRole('button', { name: 'Show 200 more of 500' }).click();
    await page.getByRole('button', { name: 'Show 100 more of 500' }).waitFor();
    expect(await values.filter({ hasNotText: 'Show' }).count()).toBe(400);
  });

  test('a run of nobody here is not found', async () => {
    const page = await desk.visit('viewer', '/runs/run_00000000000000000000000000');
    await page.getByRole('heading', { name: 'There is no such run here' }).waitFor();
  });

  test('on a phone its figures can be read whole', async () => {
    desk.model.play([{ text: 'Done.', usage: { prompt_tokens: 850, completion_tokens: 3 } }]);
    const { id } = await desk.start('Where is my order?', { agent: 'played', budgetUsd: '0.0512' });
    await endOf(desk.api, id, 'completed');
    const page = await desk.visit('viewer', `/runs/${id}`, { width: 'narrow' });
    const facts = page.locator('dl').first();
    await facts.getByText('Cost').waitFor();
    expect(await facts.locator('dd').allTextContents()).toEqual(
      expect.arrayContaining(['$0.0017 of $0.05', '1 turn, 0 calls']),
    );
    await keepPicture(page, 'run-budget-narrow-light');
    const cut = await page.evaluate<string[]>(
      "[...document.querySelectorAll('dl dd')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)",
    );
    expect(cut).toEqual([]);
  });

  test('it is accessible and fits on a phone, in each theme', async () => {
    const page = await desk.visit('viewer', `/runs/${await startBroken()}`, { width: 'narrow' });
    await page.getByText('Where is my order?').waitFor();
    const look = async (name: string): Promise<void> => {
      for (const theme of THEMES) {
        await changeLook(page, { width: 'narrow', theme });
        expect({ name, theme, faults: await seriousFaults(page) }).toEqual({ name, theme, faults: [] });
        await keepPicture(page, `run-broken-${name}-narrow-${theme}`);
      }
      expect(await sidewaysScroll(page)).toBe(0);
    };
    for (const tab of ['Conversation', 'Timeline', 'Events']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('list', { name: tab }).getByRole('button').first().waitFor();
      await look(tab.toLowerCase());
    }
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByRole('button', { name: 'Show where' }).click();
    await page.getByText('What was sent').waitFor();
    await look('span');
  });
});
