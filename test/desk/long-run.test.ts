import type { Locator, Page } from 'playwright-core';
import { createAgent, testModel } from '../support/definitions.js';
import { endOf } from '../support/runs.js';
import { describeInBrowser } from './browser.js';
import { type Desk, openDesk, RESTING } from './desk-world.js';

const EVENTS = 2_000;
const CALLS_A_TURN = 5;
/** Each turn adds the model's reply, and for each call its request and its outcome. */
const TURNS = 199;
/** More than a screen holds of any view, and far fewer than there are. */
const FEW = 120;

describeInBrowser(`a run of more than ${EVENTS} events`, () => {
  let desk: Desk;
  let runId: string;
  let events: number;
  beforeAll(async () => {
    desk = await openDesk();
    let day = 0;
    const look = () => {
      day += 1;
      const since = new Date(day * 86_400_000).toISOString().slice(0, 10);
      return { tool: 'search_orders', arguments: { since } };
    };
    desk.model.play((_request, index) =>
      index < TURNS
        ? { calls: Array.from({ length: CALLS_A_TURN }, look) }
        : { text: 'That was all of them.' },
    );
    const limits = { maxTurns: 200, maxToolCalls: 10_000 };
    await createAgent(desk.api, {
      name: 'long',
      model: testModel(desk.model),
      tools: ['search_orders'],
      limits,
    });
    ({ id: runId } = await desk.start('Look at every day.', { agent: 'long' }));
    await endOf(desk.api, runId, 'completed');
    events = (await desk.api.events(runId)).length;
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  /** Opens a view as somebody who comes from elsewhere; gives the milliseconds until its first and its last part stand. */
  const visit = async (
    page: Page,
    tab: string,
    last: (page: Page) => Promise<unknown>,
  ): Promise<[first: number, whole: number]> => {
    const since = performance.now();
    await page.goto(`/runs/${runId}?tab=${tab}`);
    await page.getByText('Look at every day.').or(page.getByRole('list')).first().waitFor();
    const first = performance.now() - since;
    await last(page);
    return [Math.round(first), Math.round(performance.now() - since)];
  };

  test.each([
    ['conversation', (page: Page) => page.getByText('search_orders').first().waitFor()],
    ['timeline', (page: Page) => page.getByRole('list', { name: 'Timeline' }).waitFor()],
    ['events', (page: Page) => page.getByText(`${events.toLocaleString('en')} events`).waitFor()],
  ])('only what can be seen is drawn of its %s', async (tab, last) => {
    const page = await desk.visit('viewer', RESTING);
    const took = await visit(page, tab, last);
    process.stdout.write(`${events} events, ${tab}: first and whole in ms ${JSON.stringify(took)}\n`);
    expect(events).toBeGreaterThan(EVENTS);
    expect(await page.getByRole('listitem').count()).toBeLessThan(FEW);
    expect(await page.getByRole('listitem').count()).toBeGreaterThan(0);
  });

  test('its conversation is read to the end while it is scrolled', async () => {
    const page = await desk.visit('viewer', `/runs/${runId}`);
    await page.getByText('search_orders').first().waitFor();
    const frames = await framesWhileScrolling(page, page.getByText('That was all of them.', { exact: true }));
    process.stdout.write(`${events} events scrolled: ${JSON.stringify(frames)}\n`);
    expect(await page.getByRole('listitem').count()).toBeLessThan(FEW);
  });
});

/** Turns the wheel until `last` is in view; gives how long frames took meanwhile, in milliseconds. */
async function framesWhileScrolling(
  page: Page,
  last: Locator,
): Promise<{ p50: number; p95: number; longest: number }> {
  await page.evaluate(`
    window.frameTimes = [];
    const frame = (at) => { window.frameTimes.push(at); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  `);
  await page.mouse.move(500, 500);
  while ((await last.count()) === 0) await page.mouse.wheel(0, 3_000);
  await last.waitFor();
  const times = await page.evaluate<number[]>('window.frameTimes');
  const gaps = times.slice(1).map((at, index) => Math.round(at - (times[index] as number)));
  const sorted = gaps.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), longest: at(1) };
}
