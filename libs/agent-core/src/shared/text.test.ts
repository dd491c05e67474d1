import fc from 'fast-check';
import { byteLength, cutText, textProblem } from './text.js';

describe('cutting', () => {
  test('never splits a code point', () => {
    expect(cutText('a\u{1F600}b', 4)).toEqual({ text: 'a', cutBytes: 5 });
    expect(cutText('a\u{1F600}b', 5)).toEqual({ text: 'a\u{1F600}', cutBytes: 1 });
    expect(cutText('äöü', 3)).toEqual({ text: 'ä', cutBytes: 4 });
    expect(cutText('abc', 0)).toEqual({ text: '', cutBytes: 3 });
  });

  test('keeps the beginning, fits, and says how much is gone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 30 }), (text, maxBytes) => {
        const cut = cutText(text, maxBytes);
        expect(text.startsWith(cut.text)).toBe(true);
        expect(byteLength(cut.text)).toBeLessThanOrEqual(maxBytes);
        expect(byteLength(cut.text) + cut.cutBytes).toBe(byteLength(text));
        expect(textProblem(cut.text)).toBe(textProblem(text) === null ? null : textProblem(cut.text));
      }),
    );
  });
});

test('a pair of surrogates is text, a lone one is not', () => {
  expect(textProblem('\u{1F600} literal \\ud800')).toBeNull();
  expect(textProblem('\uD83D')).toBe('a lone surrogate');
  expect(textProblem('\uDE00\uD83D')).toBe('a lone surrogate');
  expect(textProblem('a\0b')).toBe('NUL');
});
