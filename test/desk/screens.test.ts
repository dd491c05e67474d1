import type { Page } from 'playwright-core';
import { changeLook, describeInBrowser, type Theme, type Width } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { drawn, keepPicture, seriousFaults, sidewaysScroll } from './looks.js';
import { furnish, SCREENS, type ScreensWorld } from './screens.js';

const WIDTH_NAMES: readonly Width[] = ['wide', 'narrow'];
const THEMES: readonly Theme[] = ['light', 'dark'];

describeInBrowser('every view in every state is accessible and fits, and is kept as a picture', () => {
  let desk: Desk;
  let world: ScreensWorld;
  beforeAll(async () => {
    desk = await openDesk({ refundTool: { reconcile: null, onUnknown: 'ask', timeoutMs: 300 } });
    world = await furnish(desk);
  });
  afterAll(() => desk.close());

  const pages = new Map<string, Promise<Page>>();
  const pageOf = (role: (typeof SCREENS)[number]['role']): Promise<Page> => {
    const opened =
      pages.get(role) ??
      (role === 'nobody' ? desk.window() : desk.signIn(role, '/runs').then(({ page }) => page));
    pages.set(role, opened);
    return opened;
  };

  test.each(SCREENS)('$name', async ({ name, role, path, before, until }) => {
    const page = await pageOf(role);
    await before?.(page);
    await changeLook(page);
    await page.goto(path(world));
    await until(page);
    for (const theme of THEMES) {
      for (const width of WIDTH_NAMES) {
        await changeLook(page, { width, theme });
        await drawn(page);
        await keepPicture(page, `${name}-${width}-${theme}`);
        expect({ width, sideways: await sidewaysScroll(page) }).toEqual({ width, sideways: 0 });
        // The tests of each page ask axe on a phone; here the wide look tells colours and names in every state.
        if (width === 'wide')
          expect({ theme, faults: await seriousFaults(page) }).toEqual({ theme, faults: [] });
      }
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(desk.complaints()).toEqual([]);
  });
});
