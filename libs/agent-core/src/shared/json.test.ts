import fc from 'fast-check';
import { canonicalJson, equalityText, writeJson } from './canonical-json.js';
import { digestOf } from './digest.js';
import { fromPlain, type JsonValue, parseJson, readJson, toPlain } from './json.js';

const parsed = (text: string, options = {}): JsonValue => {
  const result = parseJson(text, options);
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
};
const problem = (text: string, options = {}) => {
  const result = parseJson(text, options);
  return result.ok ? null : result.error;
};

describe('numbers keep their digits', () => {
  const spellings = [
    '1.0',
    '1e2',
    '1E+2',
    '-0',
    '0.10',
    '1e400',
    '1e-400',
    '9007199254740993',
    '3.141592653589793238462643',
  ];
  test.each([...spellings, '0', '-1.5', '1e+21', '12345678901234567890123456789'])('%s', (digits) => {
    expect(canonicalJson(parsed(`{"n":[${digits}]}`))).toBe(`{"n":[${digits}]}`);
  });

  test('any number that JSON can write comes out as it came in', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?([eE][+-]?\d{1,5})?$/);
    fc.assert(fc.property(number, (digits) => canonicalJson(parsed(digits)) === digits));
  });
});

describe('canonical text', () => {
  test('sorts keys by UTF-16 code unit, writes no spaces', () => {
    const text = '{ "\u{1F600}": 1, "\uFB01": 2, "b": {"z": [1 , 2], "a": null}, "a" : true, "": 0 }';
    expect(canonicalJson(parsed(text))).toBe(
      '{"":0,"a":true,"b":{"a":null,"z":[1,2]},"\u{1F600}":1,"\uFB01":2}',
    );
  });

  test('is the same for every value that JSON.stringify writes, but for the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(writeJson(parsed(text))).toBe(text);
        expect(toPlain(parsed(text))).toEqual(JSON.parse(text));
        expect(canonicalJson(parsed(canonicalJson(parsed(text))))).toBe(canonicalJson(parsed(text)));
      }),
    );
  });

  test('a permutation of keys has the same digest, another value another one', () => {
    const digest = (text: string) => digestOf(canonicalJson(parsed(text)));
    expect(digest('{"a":1,"b":2}')).toBe(digest('{"b":2,"a":1}'));
    expect(digest('{"a":1}')).not.toBe(digest('{"a":1.0}'));
    expect(digest('{}')).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });

  test('keeps NUL and lone surrogates, escaped', () => {
    expect(canonicalJson(parsed('"\\u0000 \\ud800"'))).toBe('"\\u0000 \\ud800"');
  });

  test('equality is by value of numbers, and by nothing else', () => {
    const equal = (a: string, b: string) => equalityText(parsed(a)) === equalityText(parsed(b));
    expect(equal('[3, {"a": 0.10, "b": -0}]', '[3.0, {"b": 0, "a": 1e-1}]')).toBe(true);
    expect(equal('9007199254740993', '9007199254740992')).toBe(false);
    expect(equal('"3"', '3')).toBe(false);
    expect(equal('"0.3e1"', '"3"')).toBe(false);
  });
});

describe('what is refused', () => {
  test.each([
    ['an open object', '{"a":1'],
    ['a comma too many', '[1,]'],
    ['two values', '1 2'],
    ['nothing', ''],
    ['a bare word', 'NaN'],
    ['a number of another language', '0x10'],
    ['a number with a leading zero', '01'],
    ['a raw line break in a string', '"a\nb"'],
  ])('%s', (_name, text) => {
    expect(problem(text)).not.toBeNull();
  });

  test('a key that occurs twice, also where the values are equal or one is escaped', () => {
    expect(problem('{"a":{"b":1,"b":1}}')).toEqual({ path: '/a/b', message: 'occurs twice' });
    expect(problem('[0,{"a":1,"\\u0061":2}]')).toEqual({ path: '/1/a', message: 'occurs twice' });
    expect(problem('{"__proto__":1,"__proto__":2}')).not.toBeNull();
    expect(problem('[{"a":1},{"a":1},"a","a",{"b":["a","a"],"a":"a"}]')).toBeNull();
  });

  test('more than 64 levels, and ten thousand without a stack overflow', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(problem(nested(64))).toBeNull();
    expect(problem(nested(65))?.message).toBe('deeper than 64 levels');
    expect(problem('{"a":'.repeat(10_000))?.message).toBe('deeper than 64 levels');
    expect(problem(nested(3), { maxDepth: 2 })?.path).toBe('/0/0');
    expect(problem(`"${'['.repeat(100)}"`)).toBeNull();
  });

  test('NUL and lone surrogates, with their path, where the text must be strict', () => {
    expect(problem('{"a":["x","\\u0000"]}', { strictText: true })?.path).toBe('/a/1');
    expect(problem('{"a/b":{"c":"\\ud83d"}}', { strictText: true })?.path).toBe('/a~1b/c');
    expect(problem('{"\\udc00":1}', { strictText: true })?.message).toContain('lone surrogate');
    expect(problem('{"a":"\\ud83d\\ude00"}', { strictText: true })).toBeNull();
    expect(problem('"\\u0000"')).toBeNull();
  });

  test('agrees with JSON.parse on what is JSON, apart from doubled keys', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b',
      '"',
      '1',
      '-',
      '.5',
      'e3',
      'true',
      'null',
      ' ',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        (text) => {
          let reference: unknown;
          try {
            reference = JSON.parse(text);
          } catch {
            expect(parseJson(text).ok).toBe(false);
            return;
          }
          const result = parseJson(text);
          if (result.ok) expect(toPlain(result.value)).toEqual(reference);
          else expect(result.error.message).toBe('occurs twice');
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('names that objects inherit', () => {
  test('are keys like any other and pollute nothing', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
    const value = parsed(text);
    expect(writeJson(value)).toBe(text);
    expect(JSON.stringify(toPlain(value))).toBe(text);
    expect(writeJson(fromPlain(toPlain(value)))).toBe(text);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((value as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test('a value from plain JavaScript is what JSON.stringify would write, and a bigint keeps its digits', () => {
  const plain = { a: undefined, b: Number.NaN, c: [undefined, 1n << 70n], d: new Map(), e: 'x' };
  expect(writeJson(fromPlain(plain))).toBe('{"b":null,"c":[null,1180591620717411303424],"d":{},"e":"x"}');
});

test('a text that was parsed before is read without a look at its depth', () => {
  expect(canonicalJson(readJson(canonicalJson(parsed('{"b":1,"a":1.50}'))))).toBe('{"a":1.50,"b":1}');
});
