import type { Page } from 'playwright-core';
import { newEmail } from '../support/people.js';
import { describeInBrowser } from './browser.js';
import { type Desk, openDesk } from './desk-world.js';
import { seriousFaults, sidewaysScroll } from './looks.js';

describeInBrowser('the members', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterEach(async () => {
    expect(await desk.leave()).toEqual([]);
  });
  afterAll(() => desk.close());

  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  test('an admin adds somebody, whose password is shown once and opens the desk', async () => {
    const { page } = await desk.signIn('admin', '/members');
    const email = newEmail();
    await page.getByRole('button', { name: 'Add a member' }).click();
    await page.getByLabel('Name').fill('Nora Berg');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Role', { exact: true }).selectOption('reviewer');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Nora Berg was added' });
    const password = (await dialog.getByTestId('made-password').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, email).waitFor();
    expect(await page.getByText(password).count()).toBe(0);

    const own = await desk.window();
    await own.goto('/sign-in');
    await own.getByLabel('E-mail').fill(email);
    await own.getByLabel('Password').fill(password);
    await own.keyboard.press('Enter');
    await own.waitForURL((url) => url.pathname === '/approvals');
  });

  test('what is missing is said at its field, in the words of the form', async () => {
    const { page } = await desk.signIn('admin', '/members');
    await page.getByRole('button', { name: 'Add a member' }).click();
    const add = page.getByRole('button', { name: 'Add', exact: true });
    await add.click();
    expect(await page.getByText('Fill this in.').count()).toBe(2);
    await page.keyboard.type('Nora Berg');
    expect(await page.getByLabel('Name').inputValue()).toBe('Nora Berg');
    await page.getByLabel('E-mail').fill('nora');
    await add.click();
    await page.getByText('Takes an e-mail address, such as ada@example.com.').waitFor();
    expect(await page.getByText('Fill this in.').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('a role is changed in its row, and somebody is removed after a question', async () => {
    const { page } = await desk.signIn('admin', '/members');
    const { email } = await desk.signIn('viewer', '/runs');
    await page.reload();
    const role = row(page, email).getByRole('combobox');
    await role.selectOption('operator');
    await page.getByText('is operator now').first().waitFor();
    await row(page, email).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row(page, email).waitFor({ state: 'detached' });
  });

  test('what would hide in a name is shown', async () => {
    const email = newEmail();
    const body = { email, name: 'Nora \u202Eexe.txt', role: 'viewer' };
    await desk.api.expect(201, desk.api.post('/v1/members', body));
    const page = await desk.visit('admin', '/members');
    await row(page, email).waitFor();
    expect(await row(page, email).textContent()).toContain('U+202E');
  });

  test('who may not see the members is told so', async () => {
    const page = await desk.visit('reviewer', '/members');
    await page.getByRole('heading', { name: 'Your role does not let you see the members' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('the page is accessible and fits on a phone', async () => {
    const { page, email } = await desk.signIn('admin', '/members', { width: 'narrow', theme: 'dark' });
    await row(page, email).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  });
});
