import fc from 'fast-check';
import { addUsd, compareUsd, formatUsd, isUsdText, parseUsd, subtractUsd } from './usd.js';

describe('money as text', () => {
  test.each([
    ['0', '0.000000'],
    ['-0', '0.000000'],
    ['5', '5.000000'],
    ['0.012345', '0.012345'],
    ['0.0000003750', '0.000000375'],
    ['12.3400000000', '12.340000'],
    ['-0.5', '-0.500000'],
    ['123456789012345678901234567890.1', '123456789012345678901234567890.100000'],
    ['007.5', '7.500000'],
  ])('%s is %s', (text, formatted) => {
    expect(formatUsd(parseUsd(text))).toBe(formatted);
  });

  test.each(['', '1e3', '+1', '.5', '5.', '1,000', ' 1', 'NaN', '1\n', '1'.repeat(41)])(
    '%j is refused',
    (text) => {
      expect(isUsdText(text)).toBe(false);
      expect(() => parseUsd(text)).toThrow(RangeError);
    },
  );
});

describe('sums are exact', () => {
  test('where doubles are not', () => {
    expect(addUsd('0.1', '0.2')).toBe('0.300000');
    expect(addUsd('9007199254740992', '0.000000000001')).toBe('9007199254740992.000000000001');
    expect(subtractUsd('0.3', '0.30000000000001')).toBe('-0.00000000000001');
  });

  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 20 }))
    .map(([units, scale]) => formatUsd({ units, scale }));

  test('what is added can be taken away again', () => {
    fc.assert(fc.property(amount, amount, (a, b) => subtractUsd(addUsd(a, b), b) === a));
  });

  test('order does not depend on spelling', () => {
    expect(compareUsd('1', '1.000')).toBe(0);
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(compareUsd(a, b)).toBe(Math.sign(Number(parseUsd(subtractUsd(a, b)).units)));
      }),
    );
  });
});
