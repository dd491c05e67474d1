import { describeInBrowser } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';

describeInBrowser('the last admin', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.close());

  test('stays one, and is told why', async () => {
    const { page, name } = await desk.signIn('admin', '/members');
    const role = page.getByLabel(`Role of ${name}`);
    await role.selectOption('viewer');
    await page.getByText('Make somebody else an admin first').first().waitFor();
    expect(await role.inputValue()).toBe('admin');
    expect(await desk.leave()).toEqual([]);
  });
});
