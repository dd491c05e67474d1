import fc from 'fast-check';
import { textChunks, textSize } from './text-chunks';

const words = fc
  .array(fc.oneof(fc.constantFrom('\n', ' ', '👨‍👩‍👧'), fc.string({ unit: 'binary', maxLength: 9_000 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

test('nothing of a text is lost, nor any character cut in two', () => {
  fc.assert(
    fc.property(words, (text) => {
      const chunks = textChunks(text);
      expect(chunks.join('')).toBe(text);
      for (const chunk of chunks.slice(0, -1)) {
        expect(chunk.length).toBeGreaterThan(0);
        expect(chunk.length).toBeLessThanOrEqual(16_384);
        expect(chunk).not.toMatch(/[\uD800-\uDBFF]$/);
      }
    }),
  );
});

test('a chunk ends with a line, else with a word', () => {
  const line = `${'x'.repeat(9_999)}\n`;
  expect(textChunks(line.repeat(3))).toEqual([line, line, line]);
  const word = `${'x'.repeat(9_999)} `;
  expect(textChunks(word.repeat(3))).toEqual([word, word, word]);
});

test.each([
  [16_385, '17 kB'],
  [1_000_000, '1.0 MB'],
])('%d characters are %s', (length, expected) => {
  expect(textSize('x'.repeat(length))).toBe(expected);
});
