import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..');
/** Documents name files from here, as they say themselves. */
const PLACES = ['', 'libs/agent-core/src', 'apps/api/src'];
const documents = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));

/** The files that a text names in backticks. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|mjs))`/g)].map(([, file = '']) => file);
}

describe('documentation', () => {
  test.each(documents)('every file that docs/%s names is there', (name) => {
    const named = namedIn(readFileSync(path.join(ROOT, 'docs', name), 'utf8'));
    const missing = named.filter((file) => !PLACES.some((place) => existsSync(path.join(ROOT, place, file))));
    expect(missing).toEqual([]);
  });

  test('the table of behaviours has each of its rules once, in order', () => {
    const table = readFileSync(path.join(ROOT, 'docs/behaviours.md'), 'utf8');
    const numbers = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
  });
});
