import fc from 'fast-check';
import type { JsonText } from './brand.js';
import { elementTexts, memberTexts } from './json-slices.js';

const json = (text: string) => text as JsonText;

/** As text has it: JSON knows no negative zero. */
const jsonValue = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('the slices of a JSON text', () => {
  it('keep the digits of numbers, the escapes of strings and the spaces within', () => {
    const members = memberTexts(
      json(' {"a" : 1.0 , "b":9007199254740993,"c":"\\u00e9\\ud800,}","d":{ "x":[1, 2] } } '),
    );
    expect([...members]).toEqual([
      ['a', '1.0'],
      ['b', '9007199254740993'],
      ['c', '"\\u00e9\\ud800,}"'],
      ['d', '{ "x":[1, 2] }'],
    ]);
  });

  it('are none where there is nothing', () => {
    expect([...memberTexts(json('{ }'))]).toEqual([]);
    expect(elementTexts(json('[ ]'))).toEqual([]);
  });

  it('are the values that the parser finds, whatever the value and its spacing', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(0, 1, '\t'), (value, space) => {
        const list = elementTexts(json(JSON.stringify([value, value], null, space)));
        expect(list.map((text) => JSON.parse(text) as unknown)).toEqual([value, value]);
        const name = JSON.stringify(value);
        const members = memberTexts(json(JSON.stringify({ [name]: value, b: [value] }, null, space)));
        expect([...members.keys()].sort()).toEqual([name, 'b'].sort());
        expect(JSON.parse(members.get(name) ?? '')).toEqual(value);
      }),
    );
  });
});
