import { resultWords } from './result-words';

test.each([
  ['failed', 'refund_order failed'],
  ['denied', 'refund_order was denied'],
  ['cancelled', 'refund_order never ran'],
  ['unknown', 'refund_order may have happened'],
  [undefined, 'refund_order gave an error'],
] as const)('an error of a call that is %s reads %s', (status, words) => {
  expect(resultWords({ tool: 'refund_order', isError: true }, status)).toBe(words);
});

test('a result is one, whatever is known of its call', () => {
  expect(resultWords({ tool: 'refund_order' }, undefined)).toBe('result of refund_order');
});
