import type { Page } from 'playwright-core';
import { describeInBrowser, type Theme, type Width } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { keepPicture, seriousFaults, sidewaysScroll } from './looks.js';
import { furnish, SCREENS, type ScreensWorld } from './screens.js';

const LOOKS: readonly { readonly width: Width; readonly theme: Theme }[] = [
  { width: 'wide', theme: 'light' },
  { width: 'wide', theme: 'dark' },
  { width: 'narrow', theme: 'light' },
  { width: 'narrow', theme: 'dark' },
];

describeInBrowser('every view in every state is accessible and fits, and is kept as a picture', () => {
  let desk: Desk;
  let world: ScreensWorld;
  beforeAll(async () => {
    desk = await openDesk({ refundTool: { reconcile: null, onUnknown: 'ask', timeoutMs: 300 } });
    world = await furnish(desk);
  });
  afterAll(() => desk.close());

  describe.each(LOOKS)('$width, $theme', (look) => {
    const pages = new Map<string, Promise<Page>>();
    const pageOf = (role: (typeof SCREENS)[number]['role']): Promise<Page> => {
      const opened =
        pages.get(role) ??
        (role === 'nobody' ? desk.window(look) : desk.signIn(role, '/runs', look).then(({ page }) => page));
      pages.set(role, opened);
      return opened;
    };

    test.each(SCREENS)('$name', async ({ name, role, path, before, until }) => {
      const page = await pageOf(role);
      await before?.(page);
      await page.goto(path(world));
      await until(page);
      await keepPicture(page, `${name}-${look.width}-${look.theme}`);
      expect({ faults: await seriousFaults(page), sideways: await sidewaysScroll(page) }).toEqual({
        faults: [],
        sideways: 0,
      });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(desk.complaints()).toEqual([]);
    });
  });
});
