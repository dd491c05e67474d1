import type { Browser, Page } from 'playwright-core';
import { type OrdersWorld, openOrders, type WorldOptions } from '../scenarios/orders-world.js';
import { sharedDashboard } from '../support/dashboard.js';
import { addMember, newEmail, type Role } from '../support/people.js';
import { changeLook, openBrowser, openWindow, type WindowLook } from './browser.js';

/** Somebody in front of the desk. */
export interface Person {
  readonly page: Page;
  readonly name: string;
  readonly email: string;
}

/** A page without scripts, for a window in which nothing is to happen. (about:blank would be another process.) */
export const RESTING = '/readyz';

/** The orders shop of a tenant of its own, the dashboard, and a browser. */
export interface Desk extends OrdersWorld {
  readonly url: string;
  /** Makes a member of this role and signs them in, in a window of their own, on `path`. */
  signIn(role: Role, path: string, look?: WindowLook): Promise<Person>;
  /**
   * The page of the one person of this role here, in the window that they have had all along, now on `path`. Quicker than
   * somebody new: for tests that need nobody in particular, and leave no setting behind.
   */
  visit(role: Role, path: string, look?: WindowLook): Promise<Page>;
  /** A window in which nobody is signed in. */
  window(look?: WindowLook): Promise<Page>;
  /**
   * The end of a test: the windows that it opened are closed, and whoever comes again rests, so that no page goes on
   * following what later tests do. Answers what pages complained of: scripts, the content policy, foreign requests.
   */
  leave(): Promise<string[]>;
}

/** `close` ends the browser too. */
export async function openDesk(options: Omit<WorldOptions, 'stack'> = {}): Promise<Desk> {
  const url = sharedDashboard();
  const [orders, browser] = await Promise.all([openOrders(options), openBrowser()]);
  const heard: string[] = [];
  const windows = new Set<Page>();
  const open = async (look: WindowLook = {}): Promise<Page> => {
    const page = await openWindow(browser, url, (complaint) => heard.push(complaint), look);
    windows.add(page);
    return page;
  };
  const signIn: Desk['signIn'] = async (role, path, look) => {
    const email = newEmail();
    const { member, password } = await addMember(orders.api, role, email);
    const page = await open(look);
    // The page of signing in has tests of its own; everybody else comes with the cookie that it gives.
    const answer = await page.request.post('/api/auth/sign-in/email', {
      data: { email, password },
      headers: { origin: url },
    });
    if (!answer.ok()) throw new Error(`no sign-in: ${answer.status()} ${await answer.text()}`);
    await page.goto(path);
    return { page, name: member.name, email };
  };
  const regulars = new Map<Role, Promise<Person>>();
  return {
    ...orders,
    url,
    window: open,
    signIn,
    visit: async (role, path, look) => {
      const regular = regulars.get(role) ?? signIn(role, '/sign-in');
      regulars.set(role, regular);
      const { page } = await regular;
      await changeLook(page, look);
      await page.goto(path);
      return page;
    },
    leave: async () => {
      const resting = await Promise.all([...regulars.values()].map(async (regular) => (await regular).page));
      for (const page of resting) windows.delete(page);
      await Promise.all([
        ...resting.map(async (page) => {
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          await page.goto(RESTING);
        }),
        ...[...windows].map((page) => page.context().close()),
      ]);
      windows.clear();
      return heard.splice(0);
    },
    close: () => closeAll(browser, orders),
  };
}

async function closeAll(browser: Browser, orders: OrdersWorld): Promise<void> {
  await Promise.all([browser.close(), orders.close()]);
}
