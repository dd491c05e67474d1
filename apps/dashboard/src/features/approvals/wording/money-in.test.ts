import { parseExactly } from '../../../api/exact-json';
import { moneyIn } from './money-in';

const named = { path: '/total/amount', currency: 'USD' };

test.each([
  ['{"total":{"amount":"129.00"}}', '129.00'],
  ['{"total":{"amount":129.00}}', '129.00'],
  ['{"total":{"amount":129}}', '129'],
])('in %s it is %s', (text, amount) => {
  expect(moneyIn(parseExactly(text), named)).toEqual({ amount, currency: 'USD' });
});

test.each(['{}', '{"total":{"amount":null}}', '{"total":{"amount":{}}}', '[]', 'null'])(
  'in %s there is none',
  (text) => {
    expect(moneyIn(parseExactly(text), named)).toBeNull();
  },
);

test('a tool that names no place moves none that is known', () => {
  expect(moneyIn({ amount: '1.00' }, null)).toBeNull();
});
