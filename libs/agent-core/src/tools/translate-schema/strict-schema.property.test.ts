import fc from 'fast-check';
import type { JsonText } from '../../shared/brand.js';
import { tool } from '../../testing/loop-fixtures.js';
import { anyValueOf } from '../../testing/schema-values.js';
import { compileSchema } from '../argument-schema.js';
import { normalizeArguments } from '../normalize-arguments.js';
import { toldSchema } from './told-schema.js';

const name = fc.constantFrom('a', 'b', 'c');
const { schema } = fc.letrec<{ schema: object; object: object }>((tie) => ({
  object: fc
    .dictionary(name, tie('schema'), { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    .chain((properties) =>
      fc.record({
        type: fc.constant('object'),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
      }),
    ),
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      { type: 'string' },
      { type: 'integer' },
      { type: ['number', 'null'] },
      { type: 'boolean', default: true },
      { enum: ['x', 1, null] },
      { const: 'y' },
      { $ref: '#/$defs/node' },
      { $ref: '#/$defs/node', description: 'a node' },
      { allOf: [{ $ref: '#/$defs/leaf' }] },
    ),
    tie('object'),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('schema').map((form) => ({ anyOf: [form, { type: 'null' }] })),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
  ),
}));

const root = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true }).chain((properties) =>
  fc.record({
    type: fc.constant('object'),
    properties: fc.constant(properties),
    required: fc.subarray(Object.keys(properties)),
    $defs: fc.constant({
      leaf: { type: 'string' },
      node: { type: 'object', properties: { up: { $ref: '#/$defs/node' }, word: { $ref: '#/$defs/leaf' } } },
    }),
  }),
);

describe('whoever keeps to the strict form of a schema', () => {
  it('keeps to the schema, once the nulls of optional fields are out', () => {
    let strictOnes = 0;
    fc.assert(
      fc.property(root, fc.gen(), (given, generate) => {
        const parameters = JSON.stringify(given) as JsonText;
        if (!compileSchema(parameters).ok) return;
        const { strict, parameters: text } = toldSchema(parameters, 'openai');
        if (!strict) return;
        strictOnes += 1;
        const proposed = JSON.stringify(generate(anyValueOf, JSON.parse(text) as object));
        const definition = tool('t', 'read', { parameters });
        expect(normalizeArguments({ definition, subject: null, proposed })).toMatchObject({ type: 'ok' });
      }),
      { numRuns: 300 },
    );
    expect(strictOnes).toBeGreaterThan(100);
  });
});
