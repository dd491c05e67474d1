import { afterKey, NO_REASON, ownWords, type Reason, withUsual } from './reason';
import { USUAL_REASONS } from './reasons';

const [first = '', second = ''] = USUAL_REASONS;
/** What stands in the field after these keys, which go into it where the reason does not take them. */
const typed = (keys: string): Reason =>
  [...keys].reduce<Reason>(
    (reason, key) => afterKey(reason, key) ?? { text: reason.text + key, digits: null },
    NO_REASON,
  );

test('a digit takes the usual reason of its number', () => {
  expect(typed('1').text).toBe(first);
  expect(typed('2').text).toBe(second);
  expect(typed('12').text).toBe(second);
  expect(typed('9').text).toBe('9');
});

test.each(['Wrong amount, sorry.', '2 mugs, not 3', '12 of them', '23 mugs', 'm', '99', ' 1'])(
  'whatever is typed stands there whole: %s',
  (words) => {
    expect(typed(words).text).toBe(words);
  },
);

test('a key that writes nothing keeps the reason that was taken', () => {
  expect(afterKey(typed('1'), 'Shift')).toBeNull();
  expect(afterKey(typed('1'), 'End')).toEqual({ text: first, digits: null });
});

test('a usual reason goes before the words that were typed, and takes the place of another', () => {
  expect(withUsual('', first)).toBe(first);
  expect(withUsual('It was two mugs.', first)).toBe(`${first} It was two mugs.`);
  expect(withUsual(`${first} It was two mugs.`, second)).toBe(`${second} It was two mugs.`);
  expect(ownWords(first)).toBe('');
});
