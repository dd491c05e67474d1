import fc from 'fast-check';
import { globCovers } from './glob.js';

describe('globs', () => {
  test.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['a*', 'a', true],
    ['a*b', 'ab', true],
    ['a*a', 'a', false],
    ['*_order', 'refund_order', true],
    ['*ab*ab*', 'ab', false],
    ['*ab*ab*', 'xabab', true],
    ['refund', 'refund_order', false],
    ['', '', true],
    ['', 'a', false],
    ['a.c', 'abc', false],
    ['**', 'x', true],
  ])('%j and %j: %s', (glob, name, expected) => {
    expect(globCovers(glob, name)).toBe(expected);
  });

  test('cover the same names as the regular expression that says the same', () => {
    const piece = fc
      .array(fc.constantFrom('a', 'b', '*', '.'), { maxLength: 8 })
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(piece, fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 }), (glob, name) => {
        const pattern = glob
          .split('*')
          .map((part) => part.replaceAll('.', '\\.'))
          .join('.*');
        expect(globCovers(glob, name)).toBe(new RegExp(`^${pattern}$`).test(name));
      }),
      { numRuns: 1000 },
    );
  });

  test('come to an end soon, whatever they are', () => {
    expect(globCovers(`${'*a'.repeat(20_000)}*b`, 'a'.repeat(100_000))).toBe(false);
  });
});
