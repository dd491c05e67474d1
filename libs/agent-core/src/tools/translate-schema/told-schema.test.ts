import type { JsonText } from '../../shared/brand.js';
import type { SchemaDialect } from './dialect.js';
import { toldSchema, untellable } from './told-schema.js';

const told = (schema: unknown, dialect: SchemaDialect = 'openai') => {
  const { parameters, strict } = toldSchema(JSON.stringify(schema) as JsonText, dialect);
  return { strict, schema: JSON.parse(parameters) as Record<string, unknown> };
};
const field = (schema: unknown, dialect?: SchemaDialect) => {
  const { strict, schema: whole } = told(
    { type: 'object', properties: { a: schema }, required: ['a'] },
    dialect,
  );
  return { strict, field: (whole.properties as { a: unknown }).a };
};

describe('OpenAI is held to a schema', () => {
  test('that is closed, with every field required and optional ones nullable', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string' },
        note: { type: 'string', description: 'A note.', maxLength: 5, default: 'none' },
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        place: { type: 'object', properties: { x: { type: 'number' } } },
        link: { $ref: '#/definitions/link' },
      },
      required: ['id'],
      definitions: { link: { type: 'object', properties: { up: { $ref: '#/definitions/link' } } } },
    };
    expect(told(schema)).toEqual({
      strict: true,
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          note: { type: ['string', 'null'], description: 'A note. (maxLength: 5; default: none)' },
          kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
          tags: {
            description: '(minItems: 1)',
            anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
          },
          place: {
            anyOf: [
              {
                type: 'object',
                properties: { x: { type: ['number', 'null'] } },
                required: ['x'],
                additionalProperties: false,
              },
              { type: 'null' },
            ],
          },
          link: { anyOf: [{ $ref: '#/$defs/link' }, { type: 'null' }] },
        },
        required: ['id', 'note', 'kind', 'tags', 'place', 'link'],
        additionalProperties: false,
        $defs: {
          link: {
            type: 'object',
            properties: { up: { anyOf: [{ $ref: '#/$defs/link' }, { type: 'null' }] } },
            required: ['up'],
            additionalProperties: false,
          },
        },
      },
    });
  });

  test.each([
    ['a constant', { const: 3 }, { type: 'integer', enum: [3] }],
    ['values that fit the type alone', { type: 'string', enum: ['a', 1] }, { type: 'string', enum: ['a'] }],
    ['OpenAPI nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a format', { type: 'string', format: 'uri' }, { type: 'string', description: '(format: uri)' }],
    [
      'exclusive forms',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'composed objects',
      {
        allOf: [{ type: 'object', properties: { x: { type: 'string' } }, required: ['x'] }],
        description: 'd',
      },
      {
        description: 'd',
        type: 'object',
        properties: { x: { type: 'string' } },
        required: ['x'],
        additionalProperties: false,
      },
    ],
  ])('with %s', (_, given, expected) => {
    expect(field(given)).toEqual({ strict: true, field: expected });
  });

  test.each<[string, unknown]>([
    ['an open object', { type: 'object', additionalProperties: true, properties: { x: { type: 'string' } } }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an object of any fields', { type: 'object' }],
    ['a value of any type', {}],
    ['a value of any type by true', true],
    ['a list of anything', { type: 'array' }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }],
    [
      'a pattern of names',
      { type: 'object', patternProperties: { '^x': {} }, properties: { y: { type: 'null' } } },
    ],
    ['a condition', { type: 'string', if: { minLength: 3 }, else: { pattern: 'x' } }],
    ['a name that strict mode refuses', { type: 'object', properties: { 'a b': { type: 'string' } } }],
    [
      'an optional field under alternatives: its null could not be taken out',
      { anyOf: [{ type: 'object', properties: { x: { type: 'string' } } }, { type: 'string' }] },
    ],
  ])('but not where it has %s', (_, given) => {
    expect(field(given)).toEqual({ strict: false, field: given });
  });

  test('but not where it is deeper or larger than strict mode may be', () => {
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 10; level += 1) deep = { type: 'array', items: deep };
    expect(field(deep).strict).toBe(false);
    expect(field({ enum: Array.from({ length: 1001 }, (_, index) => index) }).strict).toBe(false);
    const properties = Object.fromEntries(
      Array.from({ length: 5001 }, (_, index) => [`f${index}`, { type: 'null' }]),
    );
    expect(told({ type: 'object', properties }).strict).toBe(false);
  });

  test('but not with anything about the top beside its fields: that is told in words', () => {
    const form = { properties: { b: { type: 'string' } }, required: ['b'] };
    expect(told({ type: 'object', properties: { a: { type: 'string' } }, oneOf: [form] })).toEqual({
      strict: false,
      schema: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        description: '(oneOf: [{"properties":{"b":{"type":"string"}},"required":["b"]}])',
      },
    });
  });
});

describe('Google is told', () => {
  test.each<[string, unknown, unknown]>([
    [
      'what it understands as it stands',
      { type: 'string', minLength: 1, pattern: 'x' },
      { type: 'string', minLength: 1, pattern: 'x' },
    ],
    [
      'the rest in words',
      { type: 'number', multipleOf: 2, exclusiveMinimum: 0 },
      { type: 'number', description: '(multipleOf: 2; exclusiveMinimum: 0)' },
    ],
    ['a constant as a list', { const: 'x' }, { enum: ['x'] }],
    ['a constant that cannot be listed in words', { const: true }, { description: '(one of: [true])' }],
    [
      'a list with null as two forms',
      { type: ['string', 'null'], enum: ['a', null] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      'a strange format in words',
      { type: 'string', format: 'uri' },
      { type: 'string', description: '(format: uri)' },
    ],
    ['anything as nothing', true, {}],
    [
      'a closed object',
      { type: 'object', properties: { x: {} }, additionalProperties: false },
      { type: 'object', properties: { x: {} }, additionalProperties: false },
    ],
    [
      'a condition in words',
      { type: 'string', not: { enum: ['x'] } },
      { type: 'string', description: '(not: {"enum":["x"]})' },
    ],
  ])('%s', (_, given, expected) => {
    expect(field(given, 'google').field).toEqual(expected);
  });

  test('references to definitions, with nothing beside them', () => {
    const schema = {
      type: 'object',
      properties: {
        tree: { $ref: '#/definitions/node', description: 'The tree.' },
        other: { $ref: '#/properties/tree' },
      },
      definitions: { node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } } },
    };
    expect(told(schema, 'google').schema).toEqual({
      type: 'object',
      properties: {
        tree: { description: 'The tree.', anyOf: [{ $ref: '#/$defs/node' }] },
        other: { $ref: '#/$defs/tree' },
      },
      $defs: {
        tree: { description: 'The tree.', anyOf: [{ $ref: '#/$defs/node' }] },
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } },
      },
    });
  });
});

describe('everybody is told', () => {
  test.each<SchemaDialect>(['openai', 'openai-compatible', 'anthropic', 'google'])(
    '(%s) every digit, within the top and out of the way of __proto__',
    (dialect) => {
      const text = '{"type":"object","properties":{"n":{"type":"integer","enum":[9007199254740993,1.0]}}}';
      expect(toldSchema(text as JsonText, dialect).parameters).toContain('[9007199254740993,1.0');
      expect(told({ type: 'object' }, dialect).schema).toEqual({ type: 'object', properties: {} });
    },
  );

  test('by its own name what would be refused whatever is done', () => {
    const text = '{"type":"object","properties":{"año":{},"b.c-d_e":{}}}' as JsonText;
    expect(untellable(text, 'anthropic').map(({ path }) => path)).toEqual(['/properties/año']);
    expect(untellable(text, 'openai')).toEqual([]);
  });
});
