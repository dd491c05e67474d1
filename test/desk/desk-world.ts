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

/** The orders shop of a tenant of its own, the dashboard, and a browser. */
export interface Desk extends OrdersWorld {
  readonly url: string;
  /** Makes a member of this role and signs them in, in a window of their own, on `path`. */
  signIn(role: Role, path: string, look?: WindowLook): Promise<Person>;
  /**
   * The page of the one person of this role here, in the window that they have had all along, now on `path`. Quicker than
   * somebody new: for tests that need nobody in particular, and leave no route and no setting behind.
   */
  visit(role: Role, path: string, look?: WindowLook): Promise<Page>;
  /** A window in which nobody is signed in. */
  window(look?: WindowLook): Promise<Page>;
  /** What pages complained of since the last time this was asked: scripts, the content policy, foreign requests. */
  complaints(): string[];
}

/** `close` ends the browser too. */
export async function openDesk(options: Omit<WorldOptions, 'stack'> = {}): Promise<Desk> {
  const url = sharedDashboard();
  const [orders, browser] = await Promise.all([openOrders(options), openBrowser()]);
  const heard: string[] = [];
  const open = async (look: WindowLook = {}): Promise<Page> =>
    openWindow(browser, url, (complaint) => heard.push(complaint), look);
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
    complaints: () => heard.splice(0),
    close: () => closeAll(browser, orders),
  };
}

async function closeAll(browser: Browser, orders: OrdersWorld): Promise<void> {
  await Promise.all([browser.close(), orders.close()]);
}
