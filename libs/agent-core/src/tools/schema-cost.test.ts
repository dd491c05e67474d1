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

/** None of these asserts a time: where a rule is broken the test does not come back. */
describe('validation comes to an end soon', () => {
  test('under patterns that make backtracking engines hang', () => {
    const schema = compiled({
      a: { pattern: '^(a+)+$' },
      b: { pattern: '^(a|a)*$' },
      c: { pattern: '^(.*,){11}P' },
    });
    const hard = JSON.stringify(`${'a'.repeat(50_000)}!`);
    expect(errors(schema, `{"a":${hard},"b":${hard},"c":${hard}}`)).toHaveLength(3);
  });

  test.each([
    'date',
    'date-time',
    'time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uri-template',
    'uuid',
    'json-pointer',
    'regex',
    'relative-json-pointer',
  ])('for the format %s', (format) => {
    const schema = compiled({ a: { format } });
    const bodies = [
      'a',
      '1',
      '.',
      '-',
      ':',
      '/',
      '%',
      '{',
      '0:',
      'a.',
      'a-',
      '::',
      '/~',
      'http://a',
      'P1Y',
      '//',
    ];
    for (const body of bodies) {
      for (const start of ['', 'http://', 'a@', 'P', '/']) {
        const text = `${start}${body.repeat(30_000)}\u0001`;
        expect(schema.validate({ a: text })).toHaveProperty('ok');
      }
    }
  });

  test('under references that double the work with each level', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level += 1) {
      const $ref = `#/$defs/d${level - 1}`;
      $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
    }
    const schema = compiled({ a: { $ref: '#/$defs/d40' } }, { $defs });
    expect(errors(schema, '{"a":1}')[0]).toContain('too tangled');
  });

  test('under a schema that refers to itself without an end', () => {
    const schema = compiled(
      { a: { $ref: '#/$defs/x' } },
      { $defs: { x: { allOf: [{ $ref: '#/$defs/x' }] } } },
    );
    expect(errors(schema, '{"a":1}')[0]).toContain('too tangled');
    expect(errors(schema, '{}')).toEqual([]);
  });

  test('for long lists of distinct items', () => {
    const list = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index })));
    const schema = compiled({ a: { type: 'array', uniqueItems: true } });
    expect(errors(schema, `{"a":${list}}`)).toEqual([]);
  });

  test('under many alternatives for many items, whichever fits or none', () => {
    const anyOf = Array.from({ length: 200 }, (_, index) => ({ type: 'object', required: [`x${index}`] }));
    const schema = compiled({ a: { type: 'array', items: { anyOf } } });
    for (const item of ['{}', '{"x199":1}']) {
      const list = Array.from({ length: 30_000 }, () => item).join(',');
      expect(errors(schema, `{"a":[${list}]}`)).toEqual([expect.stringContaining('too large')]);
    }
  });

  test('under long lists of names and values, for many items', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `name${index}`);
    const list = Array.from({ length: 30_000 }, () => '{}').join(',');
    const required = compiled({ a: { type: 'array', items: { type: 'object', required: names } } });
    expect(errors(required, `{"a":[${list}]}`)).toEqual([expect.stringContaining('too large')]);
    expect(required.complete(args(`{"a":[${list}]}`)).ok).toBe(false);
    const values = compiled({ a: { type: 'array', items: { enum: names } } });
    const texts = Array.from({ length: 30_000 }, () => '"other"').join(',');
    expect(errors(values, `{"a":[${texts}]}`)).toEqual([expect.stringContaining('too large')]);
  });

  test('and a long list of plain objects is still judged', () => {
    const item = {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      required: ['id'],
    };
    const schema = compiled({ a: { type: 'array', items: item } });
    const list = Array.from({ length: 30_000 }, (_, id) => `{"id":${id},"name":"n"}`).join(',');
    expect(errors(schema, `{"a":[${list}]}`)).toEqual([]);
    expect(errors(schema, `{"a":[${list},{"id":"x"}]}`)).toEqual([expect.stringContaining('/a/30000/id')]);
  });
});
