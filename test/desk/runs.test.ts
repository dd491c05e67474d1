import type { Page } from 'playwright-core';
import { changeLook, describeInBrowser, THEMES } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { seriousFaults, sidewaysScroll } from './looks.js';

const OPERATIONS = ['parcel 17', 'parcel 18', 'a complaint \u202Eexe.txt'];

describeInBrowser('the list of runs', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
    for (const operationId of OPERATIONS) await desk.start('Where is my order?', { operationId });
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  test('it is narrowed by what the URL says, and the URL says what it is narrowed by', async () => {
    const page = await desk.visit('viewer', '/runs?operation=parcel+17');
    await row(page, 'parcel 17').waitFor();
    expect(await row(page, 'parcel 18').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await row(page, 'parcel 18').waitFor();
    await page.getByLabel('Search runs').fill('complaint');
    await page.waitForURL((url) => url.searchParams.get('q') === 'complaint');
    await row(page, 'parcel').first().waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByLabel('Search runs').fill('nothing of that name');
    await page.getByRole('heading', { name: 'No run matches' }).waitFor();
  });

  test('what would hide in a name is shown', async () => {
    const page = await desk.visit('viewer', '/runs');
    await row(page, 'a complaint').waitFor();
    expect(await row(page, 'a complaint').textContent()).toContain('U+202E');
  });

  test('a run that begins appears by itself', async () => {
    const page = await desk.visit('viewer', '/runs?operation=just+now');
    await page.getByRole('heading', { name: 'No run matches' }).waitFor();
    await page.getByText('Connecting').waitFor({ state: 'hidden' });
    await desk.start('Where is my order?', { operationId: 'just now' });
    await row(page, 'just now').waitFor();
  });

  test('windows of one browser share one stream', async () => {
    const { page } = await desk.signIn('viewer', '/runs');
    const readers = new Set<Page>();
    page.context().on('request', (request) => {
      if (new URL(request.url()).pathname === '/v1/changes') readers.add(request.frame().page());
    });
    await page.reload();
    for (let count = 0; count < 3; count += 1) {
      const other = await page.context().newPage();
      await other.goto('/runs');
      await row(other, 'parcel 17').waitFor();
      await other.getByText('Connecting').waitFor({ state: 'hidden' });
    }
    expect([...readers]).toEqual([page]);
  });

  test('the keyboard moves from row to row and opens one', async () => {
    const page = await desk.visit('viewer', '/runs?q=parcel');
    await row(page, 'parcel 17').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('[data-index="1"] a:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith('/runs/run_'));
  });

  test('what cannot be read says why, and is read again when asked', async () => {
    const { page } = await desk.signIn('viewer', '/members');
    const away = (url: URL) => url.pathname === '/v1/runs';
    await page.route(away, (route) => route.abort());
    await page.goto('/runs');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute(away);
    await again.click();
    await row(page, 'parcel 17').waitFor();
  });

  test('it is accessible and fits on a phone, in each theme', async () => {
    const page = await desk.visit('viewer', '/runs', { width: 'narrow' });
    await row(page, 'parcel 17').waitFor();
    for (const theme of THEMES) {
      await changeLook(page, { width: 'narrow', theme });
      expect({ theme, faults: await seriousFaults(page) }).toEqual({ theme, faults: [] });
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });
});
