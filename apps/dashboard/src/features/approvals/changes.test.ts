import fc from 'fast-check';
import { parseExactly } from '../../api/exact-json';
import { below, changesBetween, stepsOf } from './changes';

const json = (text: string) => parseExactly(text);

describe('what differs between two JSON values', () => {
  test.each([
    ['{"a":1}', '{"a":1}', []],
    ['{"a":1}', '{"a":2}', ['/a']],
    ['{"a":1}', '{"a":"1"}', ['/a']],
    ['{"a":{"b":1,"c":2}}', '{"a":{"b":1,"c":3}}', ['/a/c']],
    ['{"a":[1,2]}', '{"a":[1,3,4]}', ['/a/1', '/a/2']],
    ['{"a":1}', '{"b":1}', ['/a', '/b']],
    ['{"a":[1]}', '{"a":{"0":1}}', ['/a']],
    ['{"a":null}', '{}', ['/a']],
    ['9007199254740993', '9007199254740992', ['']],
    ['{"a":12.50}', '{"a":12.50}', []],
    ['{"a/b":{"~":1}}', '{"a/b":{"~":2}}', ['/a~1b/~0']],
  ])('%s and %s differ at %j', (before, after, paths) => {
    expect(changesBetween(json(before), json(after)).map(({ path }) => path)).toEqual(paths);
  });

  test('nothing differs from itself, whatever it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(changesBetween(json(text), json(text))).toEqual([]);
      }),
    );
  });

  test('a pointer leads back to the names it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        expect(stepsOf(names.reduce(below, ''))).toEqual(names);
      }),
    );
  });
});
