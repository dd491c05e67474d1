import { approve, callOf, endOf, resultsOf } from '../support/runs.js';
import { describeInBrowser } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';

describeInBrowser('the card of a call whose outcome nobody knows', () => {
  let desk: Desk;
  let customers = 4_000;
  beforeAll(async () => {
    desk = await openDesk({ refundTool: { reconcile: null, onUnknown: 'ask', timeoutMs: 300 } });
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  const waitsForAWord = (runId: string) =>
    desk.api.waitFor(runId, (seen) => (seen.waitingOn?.outcomes.length ?? 0) > 0);
  /** A refund that was sent and never answered. */
  const inDoubt = async () => {
    customers += 1;
    const customerId = `C-${customers}`;
    const { orderId } = desk.database.place({ customerId, total: '49.99', date: '2026-10-22' });
    const run = await desk.start(`Please refund order ${orderId}.`, { subject: { id: customerId } });
    await approve(desk.api, run.id);
    const { waitingOn } = await waitsForAWord(run.id);
    return { runId: run.id, card: `/approvals?open=${waitingOn?.outcomes[0]}` };
  };

  test('nobody knows whether it happened: a person looks, and says so', async () => {
    desk.tools.on('refund_order', (request) => {
      desk.tools.apply(request, { refundId: 're_1' });
      return { hang: new Promise(() => {}) };
    });
    const { runId, card } = await inDoubt();
    const page = await desk.visit('reviewer', card);
    const { ids } = await callOf(desk.api, runId, 'refund_order');
    await page.getByText(ids.idempotencyKey ?? '', { exact: true }).waitFor();
    await page.keyboard.type('yMy bank, just now: found it.');
    expect(await page.getByLabel('How you know').inputValue()).toBe('My bank, just now: found it.');
    await page.keyboard.press('Enter');
    await endOf(desk.api, runId, 'completed');
    expect((await resultsOf(desk.api, runId)).join()).toContain('My bank, just now: found it.');
  });

  test('in doubt a second time, the card says that it is not sent again', async () => {
    desk.tools.on('refund_order', () => ({ hang: new Promise(() => {}) }));
    const { runId, card } = await inDoubt();
    const page = await desk.visit('reviewer', card);
    await page.getByText('then it is sent once more.').waitFor();
    await page.keyboard.press('a');
    await page.getByText('This card takes Y or N').first().waitFor();
    await page.keyboard.press('u');
    await page.getByText('Nothing to undo').first().waitFor();
    await page.keyboard.press('n');
    await page.getByText('The call is sent once more, with the same key.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Noted: it did not happen').first().waitFor();
    await waitsForAWord(runId);
    await page.goto(card);
    await page.getByText('Twice, with the same key.').waitFor();
    await page.keyboard.press('n');
    await page.getByText('The call has been sent twice and is not sent again').waitFor();
    expect(await page.getByText('once more').count()).toBe(0);
    await page.keyboard.press('Enter');
    await endOf(desk.api, runId, 'completed');
    expect((await callOf(desk.api, runId, 'refund_order')).status).toBe('failed');
  });
});
