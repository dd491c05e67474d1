import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { seriousFaults } from './looks.js';

describeInBrowser('the frame', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
    await desk.start('Where is my order?', { operationId: 'the blue parcel' });
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  test('a person begins with what waits for them', async () => {
    const page = await desk.visit('reviewer', '/');
    await page.waitForURL((url) => url.pathname === '/approvals');
  });

  test('keys lead from place to place, and all keys are listed', async () => {
    const page = await desk.visit('admin', '/runs');
    await page.getByRole('row').first().waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Next run').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForURL((url) => url.pathname === '/members');
  });

  test('where less motion is wanted nothing fades from one look to another', async () => {
    const page = await desk.visit('admin', '/runs');
    await page.getByRole('row').first().waitFor();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await fading(page)).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await fading(page)).toBe(0);
  });

  test('a letter that is typed is a letter, not a key', async () => {
    const page = await desk.visit('admin', '/runs');
    await page.getByLabel('Search runs').focus();
    await page.keyboard.type('g m ?');
    await page.waitForURL((url) => url.searchParams.get('q') === 'g m ?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the palette finds a run by its operation, and does what it is told', async () => {
    const page = await desk.visit('viewer', '/runs');
    await page.getByRole('row').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('blue');
    await page.getByRole('option', { name: /the blue parcel/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('option', { name: /the blue parcel/ }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/runs/run_'));
  });

  test('a theme that was chosen is there on the first paint of the next page', async () => {
    const { page } = await desk.signIn('viewer', '/runs', { theme: 'light' });
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    const light = await groundOf(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark theme');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    const answer = await page.reload();
    expect(await answer?.text()).toContain('data-theme="dark"');
    expect(await groundOf(page)).not.toBe(light);
  });

  test('no two pages have the same nonce, and none may be framed or run what is inline', async () => {
    const policies = await Promise.all(
      [1, 2].map(
        async () => (await fetch(`${desk.url}/sign-in`)).headers.get('content-security-policy') ?? '',
      ),
    );
    expect(new Set(policies).size).toBe(2);
    for (const policy of policies) {
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
    }
  });
});

const groundOf = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');

/** How many elements take a time to change. */
function fading(page: Page): Promise<number> {
  return page.evaluate<number>(
    "[...document.querySelectorAll('*')].filter((one) => parseFloat(getComputedStyle(one).transitionDuration) > 0).length",
  );
}
