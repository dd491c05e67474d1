import type { Locator, Page } from 'playwright-core';
import { approvalOf, callOf, decide, endOf, resultsOf } from '../support/runs.js';
import type { ApprovalView } from '../support/wire.js';
import { changeLook, describeInBrowser, THEMES } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { seriousFaults, sidewaysScroll } from './looks.js';

describeInBrowser('the approvals desk', () => {
  let desk: Desk;
  const asked: string[] = [];
  let customers = 2_000;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterEach(async () => {
    for (const runId of asked.splice(0)) await desk.api.post(`/v1/runs/${runId}/cancel`, {});
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  /** A refund that waits for a signature, each of a customer of its own. What expires first comes first in the queue. */
  const ask = async (total = '49.99', words = '', approvalTtlSeconds = 3_600): Promise<ApprovalView> => {
    customers += 1;
    const customerId = `C-${customers}`;
    const { orderId } = desk.database.place({ customerId, total, date: '2026-10-22' });
    const run = await desk.start(`${words} Please refund order ${orderId}.`, {
      subject: { id: customerId },
      limits: { approvalTtlSeconds },
    });
    asked.push(run.id);
    return approvalOf(desk.api, run.id);
  };
  const argumentsOf = (approval: ApprovalView) => approval.arguments as { readonly orderId: number };
  const summaryOf = (approval: ApprovalView) =>
    `on order ${argumentsOf(approval).orderId} to ${(approval.subject as { readonly id: string }).id}`;
  const read = (approval: ApprovalView) =>
    desk.api.expect(200, desk.api.get<ApprovalView>(`/v1/approvals/${approval.id}`));
  const cardOf = (page: Page, approval: ApprovalView) =>
    page.getByRole('heading', { name: summaryOf(approval) });
  const openCard = async (
    approval: ApprovalView,
    role: 'reviewer' | 'viewer' = 'reviewer',
  ): Promise<Page> => {
    const page = await desk.visit(role, `/approvals?open=${approval.id}`);
    await cardOf(page, approval).waitFor();
    await page.getByText('Connecting').waitFor({ state: 'hidden' });
    return page;
  };
  /** Whether it is there within a moment. */
  const appears = (what: Locator): Promise<boolean> =>
    what.waitFor({ timeout: 200 }).then(
      () => true,
      () => false,
    );
  const answers = (page: Page) =>
    page.locator('footer').getByRole('button', { name: /^(Approve|Edit|Reject)/ });
  const queueRow = (page: Page, approval: ApprovalView) => page.locator(`[data-row="${approval.id}"]`);

  test('what expires first is open, and says what would happen to whom', async () => {
    const late = await ask('20.00', '', 7_000);
    const early = await ask('129.00', '', 1_000);
    const page = await desk.visit('reviewer', '/approvals');
    await page.getByRole('heading', { name: `Refund $129.00 ${summaryOf(early)}` }).waitFor();
    await page.keyboard.press('j');
    await cardOf(page, late).waitFor();
    await page.keyboard.press('k');
    await cardOf(page, early).waitFor();
    await page.waitForURL((url) => url.searchParams.get('open') === early.id);
  });

  test('an approval is held and can be undone; then it happens once, and the next is open', async () => {
    const first = await ask('49.99', '', 1_000);
    const next = await ask('20.00', '', 2_000);
    const page = await openCard(first);
    await page.keyboard.press('a');
    await cardOf(page, next).waitFor();
    expect((await read(first)).status).toBe('approved');
    await page.keyboard.press('u');
    await cardOf(page, first).waitFor();
    expect((await read(first)).status).toBe('pending');
    await page.keyboard.press('m');
    await page.keyboard.type('Photos look right.');
    // What is pressed within a blink of a change decides nothing: whoever is that quick presses again.
    do await page.keyboard.press('Control+Enter');
    while (!(await appears(cardOf(page, next))));
    await endOf(desk.api, first.runId, 'completed');
    expect(
      desk.tools.calls('refund_order').filter(({ body }) => body.context.runId === first.runId),
    ).toHaveLength(1);
    expect((await read(first)).decisions).toMatchObject([
      { name: 'A reviewer', message: 'Photos look right.' },
    ]);
  });

  test('an edit stands beside what was asked, and what would become of it is said before it is sent', async () => {
    const rule = {
      tool: 'refund_order',
      when: [{ path: '/amount', op: 'gt', value: '100' }],
      action: 'deny',
    };
    await desk.api.expect(200, desk.api.put('/v1/policy', { rules: [{ ...rule, reason: 'too much' }] }));
    const approval = await ask('49.99');
    const page = await openCard(approval);
    const verdict = page.locator('footer [role=status]');
    await page.keyboard.press('e');
    await page.getByText('it names what the call is about').waitFor();
    expect(await page.getByLabel('orderId').count()).toBe(0);
    const amount = page.getByLabel('amount');
    const send = page.getByRole('button', { name: 'Approve as edited' });
    await amount.fill('100.01');
    await verdict.filter({ hasText: 'Denied by policy: too much' }).waitFor();
    expect(await send.isDisabled()).toBe(true);
    await amount.fill('ten');
    await page.getByText(/Needs two decimals, as in 60.00/).waitFor();
    expect(await page.locator('.line-through').allTextContents()).toEqual(['49.99']);
    const reason = page.getByLabel('reason');
    await reason.fill('');
    await reason.pressSequentially('requested by the customer, twice, with a picture of the box');
    expect(await reason.inputValue()).toBe('requested by the customer, twice, with a picture of the box');
    await reason.fill('requested by the customer');
    await amount.fill('9.99');
    await verdict.filter({ hasText: 'Your signature is enough' }).waitFor();
    await send.click();
    await endOf(desk.api, approval.runId, 'completed');
    const { arguments: ran, status } = await callOf(desk.api, approval.runId, 'refund_order');
    expect([status, ran]).toEqual(['succeeded', { ...argumentsOf(approval), amount: '9.99' }]);
  });

  test('Tab leads from the fields of an edit to its answers, not through what it rests on', async () => {
    const page = await openCard(await ask());
    await page.keyboard.press('e');
    await page.getByLabel('amount').focus();
    const places: (string | null)[] = [];
    const placeOfFocus = () =>
      page.evaluate<string | null>(
        'document.activeElement.closest(\'footer, [aria-label="What it rests on"]\')?.tagName ?? null',
      );
    for (let place: string | null = null; place === null; places.push(place)) {
      await page.keyboard.press('Tab');
      place = await placeOfFocus();
    }
    expect(places.at(-1)).toBe('FOOTER');
  });

  test('a rejection takes a usual reason by its key, and the model reads it', async () => {
    const approval = await ask();
    const page = await openCard(approval);
    await page.keyboard.press('r');
    await page.getByLabel('The amount is not right.').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await endOf(desk.api, approval.runId, 'completed');
    expect((await resultsOf(desk.api, approval.runId)).join()).toContain('The amount is not right.');
  });

  test.each(['Wrong amount, sorry.', '2 mugs, not 3: ask.'])(
    'a rejection is written at once after its key, and not a letter is lost: %s',
    async (words) => {
      const approval = await ask();
      const page = await openCard(approval);
      await page.keyboard.type(`r${words}`);
      expect(await page.getByLabel('Reason of the rejection').inputValue()).toBe(words);
      await page.keyboard.press('Enter');
      await endOf(desk.api, approval.runId, 'completed');
      expect((await read(approval)).decisions).toMatchObject([{ decision: 'reject', message: words }]);
    },
  );

  test('a decision, a cancel elsewhere arrive by themselves: who, and no more buttons', async () => {
    const decided = await ask();
    const page = await openCard(decided);
    await desk.api.expect(200, decide(desk.api, decided, { decision: 'reject', message: 'Not yet.' }));
    await page.getByText('by First key').first().waitFor();
    await page.getByText('“Not yet.”').first().waitFor();
    expect(await answers(page).count()).toBe(0);
    const cancelled = await ask();
    await queueRow(page, cancelled).click();
    await cardOf(page, cancelled).waitFor();
    await desk.api.post(`/v1/runs/${cancelled.runId}/cancel`, {});
    await page.getByText('the call is not asked for any more').waitFor();
  });

  test('whoever comes second is told who was first', async () => {
    const approval = await ask();
    const { page } = await desk.signIn('reviewer', '/members');
    await page.route(
      (url) => url.pathname === '/v1/changes',
      (route) => route.abort(),
    );
    await page.goto(`/approvals?open=${approval.id}`);
    await cardOf(page, approval).waitFor();
    await desk.api.expect(200, decide(desk.api, approval, { decision: 'reject' }));
    await page.keyboard.press('a');
    await page.getByText('First key rejected it before you.').waitFor();
  });

  test('what has changed since it was first shown is marked', async () => {
    const approval = await ask('49.99');
    const page = await openCard(approval);
    await page.getByText('may be refunded').waitFor();
    desk.database.refund('by hand', {
      orderId: argumentsOf(approval).orderId,
      amount: '49.99',
      reason: 'by hand',
    });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText(/fact changed since you first looked/).waitFor();
    await page.getByText('was shipped').waitFor();
  });

  test('of two signatures the second lets it run, and both are named', async () => {
    const rule = { tool: 'refund_order', when: [{ path: '/amount', op: 'gt', value: '500' }], approvals: 2 };
    const rules = [{ ...rule, action: 'require_approval', reason: 'over $500' }];
    await desk.api.expect(200, desk.api.put('/v1/policy', { rules }));
    const approval = await ask('640.00');
    const first = await openCard(approval);
    await first.getByText('Your approval is the first of two.').waitFor();
    await first.keyboard.press('a');
    await first.getByText('Your approval counts', { exact: true }).waitFor();
    await first.goto(`/approvals?open=${approval.id}`);
    await first.getByText('You have approved it. Another member has to approve it, too.').waitFor();
    await first.getByRole('button', { name: 'Take back' }).click();
    await first.getByText('Your approval is the first of two.').waitFor();
    await first.keyboard.press('a');
    const { page: second } = await desk.signIn('reviewer', `/approvals?open=${approval.id}`);
    await second.getByText('Yours is the second approval').waitFor();
    await second.keyboard.press('a');
    await endOf(desk.api, approval.runId, 'completed');
    expect((await read(approval)).decisions).toHaveLength(2);
  });

  test('nobody decides on a run of their own, and is told who may', async () => {
    const { page } = await desk.signIn('operator', '/runs');
    const { orderId } = desk.database.place({ customerId: 'C-9', total: '9.00', date: '2026-10-22' });
    const body = { agent: 'orders', input: `Please refund order ${orderId}.`, subject: { id: 'C-9' } };
    const answer = await page.request.post('/v1/runs', { data: body, headers: { origin: desk.url } });
    const run = (await answer.json()) as { readonly id: string };
    asked.push(run.id);
    const approval = await approvalOf(desk.api, run.id);
    await page.goto(`/approvals?open=${approval.id}`);
    await cardOf(page, approval).waitFor();
    await page.getByText('Any other reviewer, operator or admin may.').waitFor();
    expect(await answers(page).count()).toBe(0);
  });

  test('whoever may only look is told so, and their keys do nothing', async () => {
    const approval = await ask();
    const page = await openCard(approval, 'viewer');
    await page.getByText('Your role lets you look, not decide.').waitFor();
    await page.keyboard.press('a');
    expect(await answers(page).count()).toBe(0);
    expect((await read(approval)).status).toBe('pending');
  });

  test('what others wrote is text alone, and what would hide in it is shown', async () => {
    const approval = await ask('49.99', '<b id="injected">Hello</b> \u202Eexe.txt');
    const page = await openCard(approval);
    const said = page.getByLabel('What it rests on').getByText('Hello');
    expect(await said.textContent()).toContain('<b id="injected">Hello</b> U+202Eexe.txt');
    expect(await page.locator('#injected').count()).toBe(0);
  });

  test('it is accessible and fits on a phone, in each theme', async () => {
    const approval = await ask();
    const page = await desk.visit('reviewer', '/approvals', { width: 'narrow' });
    await queueRow(page, approval).click();
    await cardOf(page, approval).waitFor();
    await page.getByText('may be refunded').waitFor();
    for (const next of ['Edit', 'Back', 'Reject', null] as const) {
      for (const theme of THEMES) {
        await changeLook(page, { width: 'narrow', theme });
        expect({ next, theme, faults: await seriousFaults(page) }).toEqual({ next, theme, faults: [] });
      }
      expect(await sidewaysScroll(page)).toBe(0);
      if (next !== null) await page.locator('footer').getByRole('button', { name: next }).click();
    }
  });
});
