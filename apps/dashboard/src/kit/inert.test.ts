import fc from 'fast-check';
import { inertParts } from './inert';

const shown = (text: string) =>
  inertParts(text)
    .map((part) => (part.kind === 'text' ? part.text : `[${part.code}]`))
    .join('');

test.each([
  ['a right-to-left override', 'exe\u202Etxt', 'exe[U+202E]txt'],
  ['an isolate', 'a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
  ['a zero width space', 'refund\u200B_order', 'refund[U+200B]_order'],
  ['a tag character', 'ok\u{E0041}', 'ok[U+E0041]'],
  ['a variation selector', 'a\uFE01b', 'a[U+FE01]b'],
  ['a no-break space', '5\u00A0000', '5[U+00A0]000'],
  ['a letter that draws nothing', 'a\u3164b', 'a[U+3164]b'],
  ['a null', 'a\0b', 'a[U+0000]b'],
  ['a carriage return alone', 'pay 5\rpay 9', 'pay 5[U+000D]pay 9'],
  ['an escape', '\u001B[31m', '[U+001B][31m'],
  ['half of a pair', 'a\uD800', 'a[U+D800]'],
  ['a joiner where nothing joins', 'a\u200Db', 'a[U+200D]b'],
])('%s is made visible', (_name, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  ['lines and tabs', 'one\ntwo\tthree'],
  ['letters of every script', 'déjà 東京 مرحبا שלום'],
  ['a family', '👨‍👩‍👧'],
  ['a heart with its selector', '❤️'],
  ['a flag and a key cap', '🇨🇭 1️⃣'],
])('%s stay as they are', (_name, text) => {
  expect(inertParts(text)).toEqual([{ kind: 'text', text }]);
});

test('lines of Windows are lines', () => {
  expect(shown('one\r\ntwo')).toBe('one\ntwo');
});

test('no character of another is lost, and none of what hides is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parts = inertParts(text);
      const again = parts.map((part) =>
        part.kind === 'text' ? part.text : String.fromCodePoint(Number.parseInt(part.code.slice(2), 16)),
      );
      expect(again.join('')).toBe(text.replaceAll('\r\n', '\n'));
      for (const part of parts) {
        expect(part.kind === 'text' && /[\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F]/.test(part.text)).toBe(
          false,
        );
      }
    }),
  );
});
