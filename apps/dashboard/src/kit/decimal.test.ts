import fc from 'fast-check';
import { formatExactMoney, formatMoney, shareOf, sumDecimals } from './decimal';

test.each([
  ['0', '$0.00'],
  ['0.000000', '$0.00'],
  ['0.004', '$0.004'],
  ['0.004349', '$0.0043'],
  ['0.00435', '$0.0044'],
  ['0.000000123', '$0.00000012'],
  ['0.00999', '$0.01'],
  ['0.010', '$0.01'],
  ['0.012345', '$0.01'],
  ['129', '$129.00'],
  ['1234.5', '$1,234.50'],
  ['999.995', '$1,000.00'],
  ['1234567.891', '$1,234,567.89'],
  ['-12.345', '-$12.35'],
])('%s is shown as %s', (amount, shown) => {
  expect(formatMoney(amount, 'USD')).toBe(shown);
});

test('an amount of which a float would lose digits keeps them all', () => {
  expect(formatExactMoney('90071992547409931.123456789012', 'USD')).toBe(
    '$90,071,992,547,409,931.123456789012',
  );
  expect(formatExactMoney('0.010000', 'USD')).toBe('$0.01');
  expect(formatExactMoney('5', 'CHF')).toBe('CHF 5.00');
});

test('what is no decimal is shown as it came', () => {
  expect(formatMoney('a lot', 'USD')).toBe('a lot USD');
});

test('from a cent on, what is shown is never further than half a cent from the amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10_000n, max: 10n ** 15n }), (micros) => {
      const digits = micros.toString().padStart(7, '0');
      const shown = formatMoney(`${digits.slice(0, -6)}.${digits.slice(-6)}`, 'USD');
      const cents = BigInt(shown.replace(/[^0-9]/g, ''));
      const distance = cents * 10_000n - micros;
      expect(distance <= 5_000n && distance > -5_000n).toBe(true);
    }),
  );
});

describe('sums and shares', () => {
  test.each([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['9007199254740993', '0.000000000001'], '9007199254740993.000000000001'],
    [['1.50', '2'], '3.50'],
  ])('%j is %s', (amounts, sum) => {
    expect(sumDecimals(amounts)).toBe(sum);
  });

  test('a share is cut off behind two decimals more', () => {
    expect(shareOf('1.00', 3)).toBe('0.3333');
    expect(shareOf('0.000001', 2)).toBe('0.00000050');
    expect(shareOf('5', 0)).toBe('0');
  });
});
