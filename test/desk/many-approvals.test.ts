import type { Page } from 'playwright-core';
import { proposeRefund } from '../scenarios/orders-world.js';
import { decide } from '../support/runs.js';
import type { ApprovalView } from '../support/wire.js';
import { describeInBrowser } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';

/** Runs that each ask for many refunds in one turn. */
const RUNS = 25;
const CALLS_A_RUN = 20;
const WAITING = RUNS * CALLS_A_RUN;
/** More than a screen holds, and far fewer than there are. */
const FEW = 60;
const STEPS = 25;
const DECISIONS = 5;
const ROW_HEIGHT = 60;

describeInBrowser(`a queue of ${WAITING}`, () => {
  let desk: Desk;
  let page: Page;
  let waiting: readonly ApprovalView[] = [];
  beforeAll(async () => {
    desk = await openDesk();
    desk.model.play(({ body }) => {
      const orders = String(body.messages.at(-1)?.content).match(/\d+/g) ?? [];
      return { calls: orders.flatMap((id) => proposeRefund(`call_${id}`, Number(id), '9.00').calls ?? []) };
    });
    const starts = Array.from({ length: RUNS }, () => {
      const orders = Array.from({ length: CALLS_A_RUN }, () =>
        desk.database.place({ customerId: 'C-1001', total: '9.00', date: '2026-10-22' }),
      );
      const ids = orders.map(({ orderId }) => orderId).join(', ');
      return desk.start(`Please refund the orders ${ids}.`, { agent: 'played' });
    });
    for (const { id } of await Promise.all(starts)) {
      await desk.api.waitFor(id, ({ waitingOn }) => waitingOn?.approvals.length === CALLS_A_RUN);
    }
    waiting = await desk.api.all<ApprovalView>('/v1/approvals?status=pending');
  });
  beforeEach(async () => {
    page = await desk.visit('reviewer', '/approvals');
    await openRow().waitFor();
    await page.getByText('Connecting').waitFor({ state: 'hidden' });
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  const openRow = () => page.locator('[data-row][aria-current=true]');
  const rows = () => page.locator('[data-row]');
  const openId = () => openRow().getAttribute('data-row');
  const count = (pending: number) =>
    page.getByRole('link', { name: new RegExp(`Approvals ?${pending} waiting`) }).waitFor();

  test('is counted, and only what can be seen of it is drawn', async () => {
    await count(WAITING);
    expect(await rows().count()).toBeLessThan(FEW);
  });

  test('is read to its end while it is scrolled', async () => {
    expect(await page.evaluate<number>(SCROLLED_TO_ITS_END)).toBe(WAITING * ROW_HEIGHT);
    expect(await rows().count()).toBeLessThan(FEW);
  });

  test('is walked through by key, one card a stroke', async () => {
    const seen = new Set([await openId()]);
    const took: number[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      took.push(await press(page, 'j'));
      seen.add(await openId());
    }
    expect(seen.size).toBe(STEPS + 1);
    for (let step = 0; step < STEPS; step += 1) await press(page, 'k');
    expect(seen).toContain(await openId());
    report(`j among ${WAITING}`, took);
  });

  test('loses by itself what is decided elsewhere, and counts it no more', async () => {
    const shown = await rows().evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
    const open = await openId();
    const decided = shown.filter((id) => id !== open).slice(0, DECISIONS);
    const took: number[] = [];
    for (const id of decided) {
      const approval = waiting.find((one) => one.id === id);
      if (approval === undefined) throw new Error(`${id} was not asked for here`);
      await desk.api.expect(200, decide(desk.api, approval, { decision: 'reject' }));
      const since = performance.now();
      await page.locator(`[data-row="${id}"]`).waitFor({ state: 'detached' });
      took.push(performance.now() - since);
    }
    expect(await openId()).toBe(open);
    await count(WAITING - DECISIONS);
    report(`a decision elsewhere among ${WAITING}`, took);
  });
});

/** Scrolls the queue down, as it grows, until its last row is drawn; how high it is then, in pixels. */
const SCROLLED_TO_ITS_END = `new Promise((resolve) => {
  const list = document.querySelector('[aria-label=Queue] ol');
  const further = () => {
    list.parentElement.scrollTo({ top: list.clientHeight });
    if (list.clientHeight >= ${WAITING * ROW_HEIGHT}) resolve(list.clientHeight);
    else requestAnimationFrame(further);
  };
  further();
})`;

/** Waits for a key, then until another row is open; keeps the milliseconds from the key to the frame that shows it. */
const MEASURE_A_STROKE = `
  window.stroke = new Promise((resolve) => {
    const open = () => document.querySelector('[data-row][aria-current=true]')?.dataset.row;
    const before = open();
    const heard = ({ timeStamp }) => {
      const look = () => {
        if (open() === before) requestAnimationFrame(look);
        else resolve(performance.now() - timeStamp);
      };
      requestAnimationFrame(look);
    };
    document.addEventListener('keydown', heard, { once: true, capture: true });
  });
  undefined;
`;

async function press(page: Page, key: string): Promise<number> {
  await page.evaluate(MEASURE_A_STROKE);
  await page.keyboard.press(key);
  return page.evaluate<number>('window.stroke');
}

/** Figures are for who reads the output; what they come to depends on the machine, so nothing is held to them. */
function report(what: string, milliseconds: readonly number[]): void {
  const middle = milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length / 2)] ?? 0;
  process.stdout.write(`${what}: p50 ${middle.toFixed(0)} ms of ${milliseconds.length}\n`);
}
