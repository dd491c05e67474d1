import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const root = path.resolve(__dirname, '../..');

/** Where pictures of every view and state are kept. */
const PICTURES = path.join(root, 'artefacts/desk');

/** Keeps a picture of what is shown now, under `<name>.png`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), animations: 'disabled' });
}

/** What axe finds serious or critical on the page, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Without frames nothing is to be put together from several documents, which takes a further page each time.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`),
    );
}

/** How many pixels the page can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
