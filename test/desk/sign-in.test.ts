import { addMember } from '../support/people.js';
import { describeInBrowser } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { seriousFaults, sidewaysScroll } from './looks.js';

describeInBrowser('signing in', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  test('whoever is not signed in is asked to, and comes to where they wanted to go', async () => {
    const page = await desk.window();
    await page.goto('/runs?status=failed');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    const { member, password } = await addMember(desk.api, 'viewer');
    await page.getByLabel('E-mail').fill(member.email);
    await page.getByLabel('Password').fill(password ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(new URL(page.url()).search).toContain('status=failed');
  });

  test('a wrong password is said plainly and gives nothing away', async () => {
    const page = await desk.window();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill('nobody@people.test');
    await page.getByLabel('Password').fill('wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const words = await page.getByRole('alert').filter({ hasText: /\w/ }).textContent();
    expect(words).toMatch(/e-mail or the password/i);
  });

  test('the page is accessible and fits on a phone', async () => {
    const page = await desk.window({ width: 'narrow', theme: 'dark' });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  });

  test('whoever signs out is out', async () => {
    const { page } = await desk.signIn('viewer', '/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.getByRole('option', { name: 'Sign out', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/sign-in');
    await page.goto('/runs');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});
