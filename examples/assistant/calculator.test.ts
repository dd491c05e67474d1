import fc from 'fast-check';
import { calculate } from './calculator.js';

describe('the calculator', () => {
  test.each([
    ['150 * 3', '450'],
    ['0.1+0.2', '0.3'],
    ['2 - 3 * 4 / (1 + 1)', '-4'],
    ['-(2)--3', '1'],
    ['1/3', '0.333333333333'],
    ['2/3', '0.666666666667'],
    ['-1/3000000000000', '0'],
    ['.5*4', '2'],
    ['123456789012345678901234567890 * 10', '1234567890123456789012345678900'],
  ])('%s is %s', (expression, result) => {
    expect(calculate(expression)).toBe(result);
  });

  test.each(['', '1 +', '(1', '1)', '1 2', '1..2', '2 ** 3', 'process.exit()', '1/0', '1/(2-2)', '()'])(
    'refuses %j in words',
    (expression) => {
      expect(() => calculate(expression)).toThrow(/^expression: /);
    },
  );

  test('refuses what is nested without end', () => {
    expect(() => calculate(`${'('.repeat(60)}1${')'.repeat(60)}`)).toThrow(/nested/);
  });

  test('gives a number or words for whatever is made of its characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+-*/(). ') }), (expression) => {
        try {
          expect(calculate(expression)).toMatch(/^-?\d+(\.\d+)?$/);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: expression: /);
        }
      }),
    );
  });
});
