import fc from 'fast-check';
import { RawJson, toJson } from './reply.js';

describe('the text of an answer', () => {
  test('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('holds stored JSON text as it is', () => {
    const stored = new RawJson('{"amount": 0.10, "id": 9007199254740993}');
    expect(toJson({ subject: stored, list: [stored] })).toBe(
      '{"subject":{"amount": 0.10, "id": 9007199254740993},"list":[{"amount": 0.10, "id": 9007199254740993}]}',
    );
  });

  test('leaves out what is undefined and writes dates in UTC', () => {
    expect(toJson({ a: undefined, b: new Date(0) })).toBe('{"b":"1970-01-01T00:00:00.000Z"}');
  });
});
