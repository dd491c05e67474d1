import type { JsonText } from '../shared/brand.js';
import { type JsonObject, parseJson } from '../shared/json.js';
import { type CompiledSchema, compileSchema } from './argument-schema.js';

const compile = (schema: unknown) => compileSchema(JSON.stringify(schema) as JsonText);

function compiled(properties: unknown, more: object = {}): CompiledSchema {
  const result = compile({ type: 'object', properties, ...more });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.schema;
}

function args(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value as JsonObject;
}

const errors = (schema: CompiledSchema, text: string): string[] => {
  const result = schema.validate(args(text));
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path} ${message}`);
};

const refusal = (schema: unknown): string[] => {
  const result = compile(schema);
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path} ${message}`);
};
const field = (schema: unknown) => ({ type: 'object', properties: { a: schema } });

describe('a schema is refused, with the place and the reason', () => {
  test.each([
    ['is not of an object', { type: 'array' }, '/type must be "object"'],
    [
      'has a type of another language',
      field({ type: 'dict' }),
      '/properties/a/type "dict" is not a type of JSON Schema',
    ],
    [
      'holds no value',
      field({ type: 'integer', enum: ['1', '2'] }),
      '/properties/a/enum has no value of type "integer"',
    ],
    ['has crossed bounds', field({ minimum: 2, maximum: 1.5 }), '/properties/a/minimum is above maximum'],
    [
      'requires what it forbids',
      { type: 'object', properties: {}, required: ['a'], additionalProperties: false },
      '/required "a" is not among the properties',
    ],
    [
      'refers to elsewhere',
      field({ $ref: 'https://example.com/a' }),
      '/properties/a/$ref must begin with #: nothing is fetched',
    ],
    ['refers to nothing', field({ $ref: '#/$defs/a' }), '/properties/a/$ref leads to no schema'],
    [
      'refers to what is no schema',
      { ...field({ $ref: '#/x/y' }), x: { y: {} } },
      '/properties/a/$ref leads to no schema',
    ],
    [
      'is another resource below the root',
      field({ $id: 'other' }),
      '/properties/a/$id is not supported below the root',
    ],
    ['has a dynamic reference', field({ $dynamicRef: '#a' }), '/properties/a/$dynamicRef is not supported'],
    [
      'names a dialect of somebody else',
      { type: 'object', $schema: 'https://example.com' },
      '/$schema must be a dialect of json-schema.org',
    ],
    [
      'has a list of item schemas',
      field({ items: [{}] }),
      '/properties/a/items must be an object or true or false (got [{}])',
    ],
    [
      'has a default of another type',
      field({ type: 'integer', default: '5 years' }),
      '/properties/a/default has not the type "integer": it would be filled in and then refused',
    ],
    [
      'has a default that is not listed',
      field({ enum: ['regular', '3d'], default: 'any' }),
      '/properties/a/default is not in its enum: it would be filled in and then refused',
    ],
    [
      'names a field that cannot be checked',
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
      '/properties/__proto__ is a name that cannot be validated',
    ],
  ])('because it %s', (_name, schema, expected) => {
    expect(refusal(schema)).toContain(expected);
  });

  test('because a pattern does not run in linear time', () => {
    expect(refusal(field({ pattern: '(?=a)b' }))[0]).toMatch(
      /^\/properties\/a\/pattern cannot be run in linear time/,
    );
    expect(refusal(field({ pattern: '(a)\\1' }))).toHaveLength(1);
    expect(refusal(field({ pattern: '(' }))).toEqual([
      '/properties/a/pattern is not a regular expression of ECMA 262',
    ]);
    expect(refusal(field({ pattern: '(a{1,100}){1,100}' }))).toHaveLength(1);
    expect(refusal({ type: 'object', patternProperties: { '(?<!a)b': {} } })[0]).toMatch(
      /^\/patternProperties\//,
    );
  });

  test('because its defaults never end', () => {
    const $defs = { node: { default: {}, properties: { next: { $ref: '#/$defs/node' } } } };
    expect(refusal({ ...field({ $ref: '#/$defs/node' }), $defs })).toEqual([
      " cannot be used with the tool's schema: its defaults do not end",
    ]);
  });

  test('because it is larger than 64 KiB, deeper than 32 levels, or not JSON', () => {
    expect(refusal({ type: 'object', description: 'x'.repeat(65_536) })).toEqual([' is larger than 64 KiB']);
    let deep: unknown = {};
    for (let level = 0; level < 20; level += 1) deep = field(deep);
    expect(refusal(deep)[0]).toContain('deeper than 32 levels');
    expect(compileSchema('{' as JsonText).ok).toBe(false);
    expect(compileSchema('[]' as JsonText).ok).toBe(false);
  });
});

describe('a schema is accepted', () => {
  test.each([
    [
      'with keywords and formats that nobody knows',
      { ...field({ 'x-order': 1, example: 1, format: 'idn-email' }), discriminator: {} },
    ],
    [
      'that calls itself draft 7 and has an id',
      { ...field({}), $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x' },
    ],
    [
      'with nullable, beside a type or alone',
      { type: 'object', properties: { a: { type: 'string', nullable: true }, b: { nullable: true } } },
    ],
    [
      'with a reference to a schema that is true',
      { ...field({ $ref: '#/$defs/any' }), $defs: { any: true } },
    ],
    [
      'with an escaped and a percent-encoded reference',
      { ...field({ $ref: '#/$defs/a~1b%20c' }), $defs: { 'a/b c': {} } },
    ],
    ['that has no fields', { type: 'object' }],
  ])('%s', (_name, schema) => {
    expect(refusal(schema)).toEqual([]);
  });

  test('and an equal text is compiled once', () => {
    expect(compile(field({ type: 'string' }))).toBe(compile(field({ type: 'string' })));
  });

  test('twice under one $id, without the two being mixed up', () => {
    const first = compiled({ a: { type: 'string' } }, { $id: 'https://example.com/same' });
    const second = compiled({ a: { type: 'number' } }, { $id: 'https://example.com/same' });
    expect([errors(first, '{"a":"x"}'), errors(second, '{"a":1}')]).toEqual([[], []]);
    expect(errors(second, '{"a":"x"}')).toHaveLength(1);
  });

  test('that calls itself asynchronous, and refuses all the same', () => {
    expect(errors(compiled({ a: { type: 'string' } }, { $async: true }), '{"a":1}')).toHaveLength(1);
  });
});

describe('validation judges digits, not doubles', () => {
  const one = (schema: unknown, digits: string) =>
    errors(compiled({ a: schema }), `{"a":${digits}}`).length === 0;

  test.each([
    [{ multipleOf: 0.01 }, '19.99', true],
    [{ multipleOf: 0.01 }, '0.07', true],
    [{ multipleOf: 0.01 }, '19.999', false],
    [{ type: 'integer' }, '1.0', true],
    [{ type: 'integer' }, '1e2', true],
    [{ type: 'integer' }, '1e400', true],
    [{ type: 'integer' }, '1e-400', false],
    [{ type: 'integer' }, '9007199254740993.5', false],
    [{ type: 'number' }, '1e400', true],
    [{ maximum: 9007199254740992 }, '9007199254740993', false],
    [{ minimum: 0 }, '-1e-400', false],
    [{ exclusiveMinimum: 0 }, '1e-400', true],
    [{ exclusiveMaximum: 1 }, '0.99999999999999999999', true],
    [{ enum: [9007199254740992] }, '9007199254740993', false],
    [{ const: 1 }, '1.0', true],
    [{ const: { x: [1] } }, '{"x":[1.0]}', true],
    [{ uniqueItems: true }, '[9007199254740993, 9007199254740992]', true],
    [{ uniqueItems: true }, '[1, 1.0]', false],
    [{ uniqueItems: true }, '[{"a":1,"b":2}, {"b":2,"a":1}]', false],
    [{ propertyNames: { enum: ['x', 'y'] } }, '{"x":1}', true],
    [{ propertyNames: { enum: ['x', 'y'] } }, '{"z":1}', false],
    [{ propertyNames: { const: 'x' } }, '{"x":1}', true],
  ])('%j, given %s: %s', (schema, digits, expected) => {
    expect(one(schema, digits)).toBe(expected);
  });

  test('by digits of the schema, too', () => {
    const schema = compileSchema(
      '{"type":"object","properties":{"a":{"enum":[9007199254740993],"maximum":1e400}}}' as JsonText,
    );
    expect(schema.ok && errors(schema.schema, '{"a":9007199254740993}')).toEqual([]);
    expect(schema.ok && errors(schema.schema, '{"a":9007199254740992}')).toHaveLength(1);
  });
});

describe('names that objects inherit', () => {
  test('do not count as given, and are unknown fields like others', () => {
    const closed = compiled({ a: {} }, { additionalProperties: false });
    expect(errors(closed, '{"__proto__":1}')).toEqual(['/__proto__ is not a known field (known: a)']);
    expect(errors(closed, '{"constructor":1}')).toHaveLength(1);
    expect(errors(compiled({}, { required: ['constructor', 'toString'] }), '{}')).toHaveLength(2);
  });
});

test('two patterns of one schema are two', () => {
  const schema = compiled({ a: { pattern: '^a+$' }, b: { pattern: '^b+$' } });
  expect(errors(schema, '{"a":"aa","b":"bb"}')).toEqual([]);
  expect(errors(schema, '{"a":"bb","b":"aa"}')).toHaveLength(2);
});
