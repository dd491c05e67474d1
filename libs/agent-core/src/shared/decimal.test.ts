import fc from 'fast-check';
import { compareDecimals, isMultipleOf, normalNumber, parseDecimal, plainDecimal } from './decimal.js';

const multiple = (value: string, step: string): boolean => {
  const [a, b] = [parseDecimal(value), parseDecimal(step)];
  if (a === null || b === null) throw new Error('not a decimal');
  return isMultipleOf(a, b);
};

describe('comparing', () => {
  test.each([
    ['1', '1.0', 0],
    ['100', '1e2', 0],
    ['0', '-0.000', 0],
    ['0.1', '0.09', 1],
    ['-0.1', '-0.09', -1],
    ['9', '10', -1],
    ['-9', '10', -1],
    ['1.2', '1.19999999999999999999', 1],
    ['9007199254740993', '9007199254740992', 1],
    ['1e400', '9.99e399', 1],
    ['1e-400', '0', 1],
    ['1e999999999', '1e999999998', 1],
  ] as const)('%s and %s', (a, b, order) => {
    expect(compareDecimals(a, b)).toBe(order);
    expect(compareDecimals(b, a)).toBe(order === 0 ? 0 : -order);
  });

  test.each(['', 'a', '1.', '.5', '+1', '01', '1e', '0x1', ' 1', '1e9999999999999999', 'Infinity', '1\n'])(
    '%j is no decimal',
    (text) => {
      expect(compareDecimals(text, '1')).toBeNull();
      expect(compareDecimals('1', text)).toBeNull();
    },
  );

  test('agrees with whole numbers of any size, shifted by any exponent', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: -50, max: 50 }), (a, b, shift) => {
        const order = a === b ? 0 : a < b ? -1 : 1;
        expect(compareDecimals(`${a}e${shift}`, `${b}e${shift}`)).toBe(order);
      }),
    );
  });

  test('two numbers have one normal form exactly when they are equal', () => {
    const number = fc
      .tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -3, max: 3 }))
      .map(([n, e]) => `${n}e${e}`);
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(normalNumber(a) === normalNumber(b)).toBe(compareDecimals(a, b) === 0);
      }),
    );
  });
});

describe('multiples are exact', () => {
  test.each([
    ['19.99', '0.01', true],
    ['0.07', '0.01', true],
    ['19.999', '0.01', false],
    ['1e308', '0.123456789', false],
    ['12391239123', '1e-8', true],
    ['9007199254740993', '2', false],
    ['-4.5', '1.5', true],
    ['0', '7', true],
    ['1e1000000', '3', false],
    ['1e1000000', '8', true],
  ] as const)('%s of %s: %s', (value, step, expected) => {
    expect(multiple(value, step)).toBe(expected);
  });
});

describe('written without exponent', () => {
  test.each([
    ['100.00', '100.00'],
    ['1e2', '100'],
    ['12.5e-1', '1.25'],
    ['-5e-3', '-0.005'],
    ['1.5e3', '1500'],
    ['0e5', '0'],
  ])('%s is %s', (text, plain) => {
    expect(plainDecimal(text)).toBe(plain);
    expect(compareDecimals(text, plain)).toBe(0);
  });

  test('not where that would need more than a hundred digits', () => {
    expect(plainDecimal('1e1000000')).toBeNull();
    expect(plainDecimal('many')).toBeNull();
  });
});
