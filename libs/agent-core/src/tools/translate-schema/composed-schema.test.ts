import type { JsonText } from '../../shared/brand.js';
import { compileSchema } from '../argument-schema.js';
import { DIALECTS, type SchemaDialect } from './dialect.js';
import { toldSchema } from './told-schema.js';

const dialects = Object.keys(DIALECTS) as SchemaDialect[];
const reference = (name: string) => ({ $ref: `#/$defs/${name}` });
const more = { type: 'object', properties: { z: { type: 'string' } }, required: ['z'] };

function told(properties: object, $defs: object, dialect: SchemaDialect) {
  const text = JSON.stringify({ type: 'object', properties, $defs }) as JsonText;
  expect(compileSchema(text)).toMatchObject({ ok: true });
  return toldSchema(text, dialect);
}

/** Definitions that each lead to the next one by a body made of its name. */
function chain(length: number, body: (next: string) => object): object {
  const all = Array.from({ length }, (_, index) => [`d${index}`, body(`d${index + 1}`)] as const);
  return {
    ...Object.fromEntries(all),
    [`d${length}`]: { type: 'object', properties: { a: { type: 'null' } } },
  };
}

const node = (parent: object) => ({
  node: { type: 'object', properties: { parent }, required: ['parent'] },
});

describe.each(dialects)('%s is told a schema', (dialect) => {
  it.each([
    ['wrapped', { allOf: [reference('node')], description: 'who is above' }],
    ['composed', { allOf: [reference('node'), more] }],
    ['composed with a type beside', { type: 'object', allOf: [reference('node')] }],
    ['composed within another', { allOf: [{ allOf: [reference('node')], minProperties: 1 }, more] }],
  ])('that comes back to itself, %s', (_, parent) => {
    const { parameters } = told({ root: reference('node') }, node(parent), dialect);
    expect(JSON.parse(parameters)).toMatchObject({ properties: { root: expect.anything() } });
  });

  it.each([
    ['wrap', (next: string) => ({ allOf: [reference(next)] })],
    ['compose', (next: string) => ({ allOf: [reference(next), more] })],
  ])('in which each of many definitions has two fields that %s the next one', (_, field) => {
    const defs = chain(30, (next) => ({ type: 'object', properties: { a: field(next), b: field(next) } }));
    expect(told({ root: reference('d0') }, defs, dialect).parameters.length).toBeLessThan(100_000);
  });

  it('in which each of many definitions takes the next one in three times', () => {
    const defs = chain(20, (next) => ({ allOf: Array(3).fill(reference(next)) }));
    expect(told({ root: reference('d0') }, defs, dialect).parameters.length).toBeLessThan(100_000);
  });
});

it('a wrapped reference stays one, and strict mode can still hold', () => {
  const wrapped = { allOf: [reference('node')], description: 'who is above' };
  const field = { anyOf: [{ $ref: '#/$defs/node' }], description: 'who is above' };
  const { parameters, strict } = told({ root: reference('node') }, node(wrapped), 'openai');
  expect(strict).toBe(true);
  expect(JSON.parse(parameters)).toMatchObject({ $defs: { node: { properties: { parent: field } } } });
});
