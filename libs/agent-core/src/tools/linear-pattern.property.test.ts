import fc from 'fast-check';
import { compilePattern } from './linear-pattern.js';

/** What may stand outside of a class, and what within one. */
const ATOMS = [
  'a',
  'z',
  '.',
  '\\s',
  '\\S',
  '\\d',
  '\\w',
  '\\W',
  '\\n',
  '\\v',
  '\\xa0',
  '\\u00e9',
  '\\ud83d\\ude00',
  '\\.',
  '\\/',
  '\\-',
];
const MEMBERS = [
  'a-f',
  '0-9',
  '\\s',
  '\\S',
  '\\d',
  '\\W',
  '[:alpha:',
  '.',
  '\\u2028',
  '\\ud83d\\ude00',
  '\\]',
  '\u00e9',
];
const TEXTS = [
  'a',
  'f',
  'z',
  '5',
  ' ',
  '\t',
  '\n',
  '\r',
  '\v',
  '\f',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u202f',
  '\ufeff',
  '\u200b',
  '\u00e9',
  '\ud83d\ude00',
  ':',
  '[',
  ']',
  '.',
  '-',
  '/',
  '\0',
];

const atom = fc.constantFrom(...ATOMS);
const group = fc
  .tuple(fc.boolean(), fc.array(fc.constantFrom(...MEMBERS), { minLength: 1, maxLength: 4 }))
  .map(([not, members]) => `[${not ? '^' : ''}${members.join('')}]`);
const repeated = fc
  .tuple(fc.oneof(atom, group), fc.constantFrom('', '?', '+', '*', '{2}'))
  .map((parts) => parts.join(''));
const pattern = fc
  .tuple(fc.boolean(), fc.array(repeated, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([start, parts, end]) => `${start ? '^' : ''}${parts.join('')}${end ? '$' : ''}`)
  .filter(isPattern);
const text = fc.array(fc.constantFrom(...TEXTS), { maxLength: 8 }).map((parts) => parts.join(''));

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

test('a pattern finds what it finds in ECMA 262', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 10 }), (source, texts) => {
      const compiled = compilePattern(source);
      if (!compiled.ok) throw new Error(`${source} ${compiled.message}`);
      const expected = new RegExp(source, 'u');
      for (const each of texts)
        expect([source, each, compiled.test(each)]).toEqual([source, each, expected.test(each)]);
    }),
  );
});

test.each(['\\Aa', 'a\\z', '\\Qa.b\\E', '\\a', '[\\a]', '\\C'])(
  '%s means nothing in ECMA 262 and is refused',
  (source) => {
    expect(compilePattern(source)).toMatchObject({ ok: false });
  },
);
