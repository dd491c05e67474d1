import { beyondAsked, isSameMoney } from './money-change';

const usd = (amount: string) => ({ amount, currency: 'USD' });

test.each([
  ['89.00', '999.00', '$910.00 more than was asked'],
  ['89.00', '89.01', '$0.01 more than was asked'],
  ['89', '89.005', '$0.005 more than was asked'],
  ['9', '1000', '$991.00 more than was asked'],
  ['89.00', '89', null],
  ['89.00', '60.00', null],
  ['89.00', '1e5', 'Another amount than was asked'],
])('an edit of %s to %s: %s', (asked, edited, words) => {
  expect(beyondAsked(usd(asked), usd(edited))).toBe(words);
});

test('money where none was asked for, or in another currency, is not taken for less', () => {
  expect(beyondAsked(null, usd('1.00'))).toBe('Another amount than was asked');
  expect(beyondAsked({ amount: '89.00', currency: 'EUR' }, usd('1.00'))).toBe(
    'Another amount than was asked',
  );
});

test('zeros at the end make no other money', () => {
  expect(isSameMoney(usd('89.000000'), usd('89'))).toBe(true);
  expect(isSameMoney(usd('89.01'), usd('89'))).toBe(false);
  expect(isSameMoney(null, null)).toBe(true);
});
