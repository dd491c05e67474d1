import { changeLook, describeInBrowser, LOOKS } from './browser.js';
import { type Desk, openDesk, RESTING } from './desk-world.js';
import { keepPicture, seriousFaults, sidewaysScroll } from './looks.js';
import { furnish, SCREENS, type ScreensWorld } from './screens.js';

describeInBrowser('every view in every state is accessible and fits, and is kept as a picture', () => {
  let desk: Desk;
  let world: ScreensWorld;
  beforeAll(async () => {
    desk = await openDesk({ refundTool: { reconcile: null, onUnknown: 'ask', timeoutMs: 300 } });
    world = await furnish(desk);
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  test.each(SCREENS)('$name', async ({ name, role, path, before, until }) => {
    const page = role === 'nobody' ? await desk.window() : await desk.visit(role, RESTING);
    await before?.(page);
    await page.goto(path(world));
    await until(page);
    for (const look of LOOKS) {
      await changeLook(page, look);
      await keepPicture(page, `${name}-${look.width}-${look.theme}`);
      expect({ look, sideways: await sidewaysScroll(page) }).toEqual({ look, sideways: 0 });
      // The tests of each page ask axe on a phone; here the wide look tells colours and names in every state.
      if (look.width === 'wide')
        expect({ look, faults: await seriousFaults(page) }).toEqual({ look, faults: [] });
    }
  });
});
