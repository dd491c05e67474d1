// The pictures of the README: the demo on a database of its own, as people see it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { readEnvironment } from './environment.mjs';
import { inRoot } from './paths.mjs';
import { freePort } from './ports.mjs';
import { StartError, say } from './say.mjs';
import { session } from './session.mjs';
import { startStack } from './stack.mjs';
import { inTemporaryFolder } from './temporary-folder.mjs';

const FOLDER = 'docs/pictures';
const VIEWPORT = { width: 1440, height: 900 };
/** Of the demo's refunds that wait for a signature: enough are there for a picture. */
const WAITING = 5;
const PATIENCE_MS = 120_000;

/** @typedef {import('playwright-core').Page} Page */

/** @type {{ name: string, theme: 'light' | 'dark', open: (page: Page, approval: string) => Promise<void> }[]} */
const PICTURES = [
  {
    name: 'approvals',
    theme: 'light',
    open: async (page, approval) => {
      await page.goto(`/approvals?open=${approval}`);
      await page.getByRole('button', { name: /^Approve/ }).waitFor();
    },
  },
  {
    name: 'edit',
    theme: 'dark',
    open: async (page, approval) => {
      await page.goto(`/approvals?open=${approval}`);
      await page.getByRole('button', { name: /^Approve/ }).waitFor();
      await page.keyboard.press('e');
      await page.getByRole('button', { name: /^Approve as edited/ }).waitFor();
    },
  },
  {
    name: 'run',
    theme: 'light',
    open: async (page) => {
      await page.goto('/runs?status=completed');
      await page.getByRole('row').nth(2).getByRole('link').click();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.getByText('Turn 1').first().waitFor();
    },
  },
  {
    name: 'runs',
    theme: 'dark',
    open: async (page) => {
      await page.goto('/runs');
      await page.getByRole('row').nth(5).waitFor();
    },
  },
];

/** @returns {Promise<number>} */
export function screenshots() {
  return inTemporaryFolder({ durable: true }, (folder) =>
    session(
      folder,
      async (own) => {
        const [API_PORT, DASHBOARD_PORT, COUNTERSIGN_DEMO_SHOP_PORT] = await freePorts(3);
        const ports = { API_PORT, DASHBOARD_PORT, COUNTERSIGN_DEMO_SHOP_PORT, WORKER_PORT: '0' };
        Object.assign(process.env, ports);
        const variables = { ...process.env, COUNTERSIGN_DATA_DIR: folder };
        const stack = await startStack(readEnvironment(variables, { demo: true }), own, { quiet: true });
        if (stack.demo === undefined) {
          throw new StartError('The demo was not made');
        }
        const approval = await someRefund(stack.apiUrl, stack.demo.apiKey);
        await take(`http://127.0.0.1:${DASHBOARD_PORT}`, stack.demo, approval);
        return 0;
      },
      { whenAskedToStop: 1 },
    ),
  );
}

/** @param {number} count */
async function freePorts(count) {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  return ports.map(String);
}

/**
 * A refund of the demo that waits for a signature, once most of them do.
 *
 * @param {string} apiUrl
 * @param {string} apiKey
 * @returns {Promise<string>} the id of the approval
 */
async function someRefund(apiUrl, apiKey) {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`${apiUrl}/v1/approvals?status=pending&tool=refund_order&order=expiring`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data } = await answer.json();
    if (data.length >= WAITING) {
      return data[1].id;
    }
    if (Date.now() > giveUpAt) {
      throw new StartError(`Only ${data.length} refunds of the demo wait`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** @param {string} baseURL @param {import('./demo.mjs').Demo} demo @param {string} approval */
async function take(baseURL, { signIns = [] }, approval) {
  const reviewer = signIns.find(({ email }) => email === 'reviewer@demo.test');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  mkdirSync(inRoot(FOLDER), { recursive: true });
  for (const { name, theme, open } of PICTURES) {
    const page = await browser.newPage({ baseURL, viewport: VIEWPORT, colorScheme: theme, locale: 'en-US' });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(reviewer?.email ?? '');
    await page.getByLabel('Password').fill(reviewer?.password ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname !== '/sign-in');
    await open(page, approval);
    await page.waitForTimeout(1_000);
    const file = path.join(FOLDER, `${name}.png`);
    await page.screenshot({ path: inRoot(file), animations: 'disabled' });
    say(file);
    await page.close();
  }
  await browser.close();
}
