import fc from 'fast-check';
import { writeJson } from './canonical-json.js';
import { fromPlain } from './json.js';
import {
  isJsonPointer,
  isWithin,
  pointerBelow,
  pointerSteps,
  pointersOverlap,
  readPointer,
  writePointer,
} from './pointer.js';

const document = fromPlain({
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'm~n': 8,
  ' ': 7,
  deep: { list: [{ x: null }] },
});

describe('reading', () => {
  test.each([
    ['/foo/0', '"bar"'],
    ['/', '0'],
    ['/a~1b', '1'],
    ['/m~0n', '8'],
    ['/ ', '7'],
    ['/deep/list/0/x', 'null'],
  ])('%j finds %s', (pointer, expected) => {
    const read = readPointer(document, pointer);
    expect(read.found && writeJson(read.value)).toBe(expected);
  });

  test.each([
    'foo',
    '/nope',
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/length',
    '/foo/0/0',
    '/m~2n',
    '/constructor',
    '/__proto__',
  ])('%j finds nothing', (pointer) => {
    expect(readPointer(document, pointer).found).toBe(false);
  });

  test('the empty pointer is the whole', () => {
    expect(readPointer(document, '')).toEqual({ found: true, value: document });
  });
});

describe('writing', () => {
  const written = (pointer: string) => {
    const result = writePointer(document, pointer, 'new');
    return result === null ? null : readPointer(result, pointer);
  };

  test.each(['', '/foo/1', '/foo/2', '/added', '/deep/list/0/x', '/__proto__'])(
    '%j holds the new value, the old document stays',
    (pointer) => {
      const before = writeJson(document);
      expect(written(pointer)).toEqual({ found: true, value: 'new' });
      expect(writeJson(document)).toBe(before);
    },
  );

  test('a null may be written and written over', () => {
    expect(writePointer({ a: null }, '/a', null)).toEqual({ a: null });
    expect(writePointer({ a: null }, '/a', 1)).toEqual({ a: 1 });
  });

  test.each(['/foo/3', '/foo/x', '/nope/x', '/foo/0/x', 'x'])('%j leads nowhere', (pointer) => {
    expect(writePointer(document, pointer, 'new')).toBeNull();
  });
});

describe('comparing', () => {
  test('pointers overlap where one leads to a part of the other', () => {
    expect(pointersOverlap('/a', '/a/b')).toBe(true);
    expect(pointersOverlap('/a/b', '/a')).toBe(true);
    expect(pointersOverlap('', '/a')).toBe(true);
    expect(pointersOverlap('/a', '/ab')).toBe(false);
    expect(isWithin('/a', '/a/b')).toBe(false);
  });

  test('any key makes a pointer that reads back as that key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) => {
        const pointer = pointerBelow('/x', key);
        expect(isJsonPointer(pointer)).toBe(true);
        expect(pointerSteps(pointer)).toEqual(['x', key]);
      }),
    );
  });
});
