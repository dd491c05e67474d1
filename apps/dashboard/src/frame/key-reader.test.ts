import { type Keystroke, makeKeyReader } from './key-reader';

const actions = [
  { name: 'go to runs', keys: 'g r' },
  { name: 'reject', keys: 'r' },
  { name: 'palette', keys: 'mod+k', whileTyping: true },
  { name: 'keys', keys: '?' },
];

/** The names of what a row of keys does, each a tenth of a second after the one before. */
function press(...strokes: (string | Partial<Keystroke>)[]): (string | undefined)[] {
  const read = makeKeyReader();
  return strokes.map((given, index) => {
    const stroke = typeof given === 'string' ? { key: given } : given;
    const whole: Keystroke = { key: '', mod: false, alt: false, typing: false, at: index * 100, ...stroke };
    return read(whole, actions)?.name;
  });
}

test('a key alone, and keys one after the other', () => {
  expect(press('r')).toEqual(['reject']);
  expect(press('g', 'r')).toEqual([undefined, 'go to runs']);
  expect(press('g', 'r', 'r')).toEqual([undefined, 'go to runs', 'reject']);
});

test('the second key comes too late after a second', () => {
  expect(press('g', { key: 'r', at: 5_000 })).toEqual([undefined, 'reject']);
});

test('who types does nothing by it, save where an action says so', () => {
  expect(press({ key: 'r', typing: true })).toEqual([undefined]);
  expect(press({ key: 'k', mod: true, typing: true })).toEqual(['palette']);
});

test('a key with Command or Alt is the browser’s, where no action names it', () => {
  expect(press({ key: 'r', mod: true }, { key: 'r', alt: true })).toEqual([undefined, undefined]);
});

test('a key that only shifts another does not end a sequence', () => {
  expect(press('g', 'Shift', 'R')).toEqual([undefined, undefined, 'go to runs']);
});
