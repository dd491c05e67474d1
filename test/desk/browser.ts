import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * Chromium by its names, first the one that is built without windows: it shows the same pages, and starts and draws them
 * with two thirds of the processor's time (105 s instead of 150 for all tests here).
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser that is installed here, or null where there is none. */
function browserPath(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/** `describe` where a browser is installed; elsewhere the tests are skipped, and their name says why. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath() === null) describe.skip(`${name} (skipped: there is no chromium on the PATH)`, tests);
  else describe(name, tests);
}

const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
type Width = keyof typeof WIDTHS;
export const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

export interface WindowLook {
  readonly width?: Width;
  readonly theme?: Theme;
}

/** Everything that a page is to look good in, each one change of width or theme from the one before. */
export const LOOKS: readonly Required<WindowLook>[] = [
  { width: 'wide', theme: 'light' },
  { width: 'narrow', theme: 'light' },
  { width: 'narrow', theme: 'dark' },
  { width: 'wide', theme: 'dark' },
];

/** No host has an address but ours. (To refuse requests one by one would turn off the cache, and compile every script anew.) */
const NOBODY_ELSE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** One browser for a test file. Each person has a context, so cookies, of their own. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = browserPath();
  if (executablePath === null) throw new Error('there is no chromium on the PATH');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', NOBODY_ELSE];
  return chromium.launch({ executablePath, args });
}

/**
 * Gives a window another size and theme, and waits until its page has been drawn so. The pointer is put where nothing
 * is: what comes to lie under it changes with the width.
 */
export async function changeLook(
  page: Page,
  { width = 'wide', theme = 'light' }: WindowLook = {},
): Promise<void> {
  await page.mouse.move(0, 0);
  await page.setViewportSize(WIDTHS[width]);
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(DRAWN);
}

const DRAWN = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
})()`;

/**
 * A window of its own for one person. Errors of scripts, refusals of the content security policy and requests that
 * leave the origin are told to `complain`.
 */
export async function openWindow(
  browser: Browser,
  baseURL: string,
  complain: (complaint: string) => void,
  { width = 'wide', theme = 'light' }: WindowLook = {},
): Promise<Page> {
  const viewport = WIDTHS[width];
  const context = await browser.newContext({
    baseURL,
    viewport,
    colorScheme: theme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const { origin } = new URL(baseURL);
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) complain(`left the origin: ${url}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => complain(`threw: ${error.message}`));
  page.on('console', (message) => {
    // A refused request is reported by the browser itself; whether it was to be refused is for the test to say.
    const refusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !refusal) complain(`console: ${message.text()}`);
  });
  return page;
}
