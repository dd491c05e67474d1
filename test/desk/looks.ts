import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const root = path.resolve(__dirname, '../..');

/** Where pictures of every view and state are kept. */
const PICTURES = path.join(root, 'artefacts/desk');

/** Keeps a picture of what is shown now, under `<name>.png`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), animations: 'disabled' });
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds serious or critical on the page, one line each. Said and filtered in the page: the rest is megabytes. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const isThere = await page.evaluate<boolean>("'axe' in window");
  if (!isThere) await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, html }) => [id + ':', ...target, html.slice(0, 120)].join(' '))))`);
}

/** How many pixels the page can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
