import fc from 'fast-check';
import type { JsonText } from '../shared/brand.js';
import { digestOf } from '../shared/digest.js';
import { tool } from '../testing/loop-fixtures.js';
import { type NormalizedArguments, normalizeArguments } from './normalize-arguments.js';
import type { ToolDefinition } from './tool-definition.js';

function definition(schema: object, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return tool('refund', 'once', {
    parameters: JSON.stringify({ type: 'object', ...schema }) as JsonText,
    ...more,
  });
}

const normalize = (tool: ToolDefinition, proposed: string, subject: unknown = null): NormalizedArguments =>
  normalizeArguments({
    definition: tool,
    proposed,
    subject: subject === null ? null : (JSON.stringify(subject) as JsonText),
  });

function textOf(result: NormalizedArguments): string {
  return result.type === 'ok' ? result.bound.arguments : result.message;
}

describe('what the model reads of its mistakes', () => {
  const logs = definition({
    properties: {
      pod_name: { type: 'string' },
      since: { type: 'string', format: 'date' },
      limit: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      level: { enum: ['info', 'error'] },
      level2: { oneOf: [{ const: 'a' }, { const: 'b' }] },
      filters: {
        type: 'array',
        items: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      },
      token: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
      price: { multipleOf: 0.01, exclusiveMaximum: 100 },
      open: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      'odd/name': { type: 'number' },
    },
    required: ['pod_name'],
    additionalProperties: false,
  });

  test.each([
    ['{}', 'pod_name is required'],
    ['', 'pod_name is required'],
    ['  \n', 'pod_name is required'],
    ['{"pod_name":null}', 'pod_name: must be a string (got null)'],
    [
      '{"pod_name":"x","since":"October 1st"}',
      'since: must be a date such as 2026-10-01 (got "October 1st")',
    ],
    ['{"pod_name":"x","limit":0}', 'limit: must be at least 1 (got 0)'],
    ['{"pod_name":"x","limit":"ten"}', 'limit: must be a whole number or null (got "ten")'],
    ['{"pod_name":"x","limit":1.5}', 'limit: must be a whole number or null (got 1.5)'],
    ['{"pod_name":"x","level":"warn"}', 'level: must be one of "info", "error" (got "warn")'],
    ['{"pod_name":"x","level2":"c"}', 'level2: must be one of "a", "b" (got "c")'],
    ['{"pod_name":"x","filters":[{"key":"a"},{}]}', 'filters[1].key is required'],
    ['{"pod_name":"x","filters":{}}', 'filters: must be a list (got {})'],
    ['{"pod_name":"x","token":"A"}', 'token: must match the pattern ^[a-z]+$ (got "A")'],
    ['{"pod_name":"x","token":"abcdef"}', 'token: must NOT have more than 5 characters (got "abcdef")'],
    ['{"pod_name":"x","price":0.001}', 'price: must be a multiple of 0.01 (got 0.001)'],
    ['{"pod_name":"x","price":100.00}', 'price: must be less than 100 (got 100.00)'],
    ['{"pod_name":"x","open":1}', 'open: must be a string or true or false (got 1)'],
    ['{"pod_name":"x","odd/name":"1"}', 'odd/name: must be a number (got "1")'],
    [
      '{"pod_name":"x","podname":"y"}',
      'podname is not a known field (known: pod_name, since, limit, level, level2, filters, token, price, open, odd/name)',
    ],
    ['[1]', 'the arguments must be a JSON object'],
    ['null', 'the arguments must be a JSON object'],
    [
      '{"pod_name":"x"',
      "the arguments are not valid JSON: Quoted object key or end of object '}' expected but reached end of input at position 15",
    ],
    ['{"pod_name":"x","pod_name":"y"}', 'the arguments are not valid JSON: pod_name: occurs twice'],
  ])('%s', (proposed, message) => {
    const result = normalize(logs, proposed);
    expect(result).toMatchObject({ type: 'arguments', message });
  });

  test('all mistakes at once, long values cut, a flood of errors counted', () => {
    const both = normalize(logs, '{"since":"x","limit":-1}');
    expect(textOf(both)).toBe(
      'pod_name is required; since: must be a date such as 2026-10-01 (got "x"); limit: must be at least 1 (got -1)',
    );
    expect(textOf(normalize(logs, `{"pod_name":${'1'.repeat(9999)}}`)).length).toBeLessThan(200);
    const many = normalize(logs, JSON.stringify({ pod_name: 'x', filters: Array(500).fill({}) }));
    expect(textOf(many)).toMatch(/filters\[9\]\.key is required; and 490 more problems$/);
  });
});

describe('arguments are completed', () => {
  const schema = {
    properties: {
      note: { type: 'string' },
      limit: { type: 'integer', default: 10 },
      page: { $ref: '#/$defs/page' },
      items: {
        type: 'array',
        items: { type: 'object', properties: { count: { default: 1 }, tag: { type: 'string' } } },
      },
      maybe: { anyOf: [{ type: 'object', properties: { x: { default: 'y' } } }, { type: 'null' }] },
      either: { anyOf: [{ properties: { x: { default: 1 } } }, { properties: { x: { default: 2 } } }] },
      nothing: { type: 'string', default: null },
      must: { type: ['string', 'null'] },
    },
    required: ['must'],
    $defs: { page: { type: 'object', default: {}, properties: { size: { default: 2.5 } } } },
  };

  test.each([
    [
      'nulls of optional fields go, the required stay',
      '{"must":null,"note":null}',
      '{"limit":10,"must":null,"page":{"size":2.5}}',
    ],
    [
      'a null gives way to the default',
      '{"must":"","limit":null}',
      '{"limit":10,"must":"","page":{"size":2.5}}',
    ],
    [
      'defaults are filled in below, in lists, and in the one form beside null',
      '{"must":"","page":{},"items":[{},{"count":5,"tag":null}],"maybe":{}}',
      '{"items":[{"count":1},{"count":5}],"limit":10,"maybe":{"x":"y"},"must":"","page":{"size":2.5}}',
    ],
    [
      'between real alternatives nothing is guessed',
      '{"must":"","either":{}}',
      '{"either":{},"limit":10,"must":"","page":{"size":2.5}}',
    ],
    [
      'what is given stands, with its digits',
      '{"must":"","limit":1e1,"page":{"size":7.0}}',
      '{"limit":1e1,"must":"","page":{"size":7.0}}',
    ],
    [
      'unknown fields keep their nulls',
      '{"must":"","other":null}',
      '{"limit":10,"must":"","other":null,"page":{"size":2.5}}',
    ],
  ])('%s', (_name, proposed, expected) => {
    expect(textOf(normalize(definition(schema), proposed))).toBe(expected);
  });

  test('a default is validated, with its digits', () => {
    const wrong = definition({ properties: { a: { type: 'integer', minimum: 5, default: 3 } } });
    expect(textOf(normalize(wrong, '{}'))).toBe('a: must be at least 5 (got 3)');
    const parameters = '{"type":"object","properties":{"a":{"default":1.50}}}' as JsonText;
    expect(textOf(normalize(definition({}, { parameters }), '{}'))).toBe('{"a":1.50}');
  });

  test('completing twice changes nothing', () => {
    const once = textOf(normalize(definition(schema), '{"must":"x","items":[{"tag":null}],"maybe":null}'));
    expect(textOf(normalize(definition(schema), once))).toBe(once);
  });
});

describe('arguments from the subject', () => {
  const properties = { customerId: { type: 'string', minLength: 3 }, amount: { type: 'number' } };
  const injecting = definition({ properties, required: ['customerId'] }, { inject: { customerId: '/id' } });

  test('overwrite whatever the model wrote', () => {
    const expected = '{"amount":1,"customerId":"c_1"}';
    for (const proposed of [
      '{"amount":1}',
      '{"amount":1,"customerId":"c_2"}',
      '{"amount":1,"customerId":null}',
    ]) {
      expect(textOf(normalize(injecting, proposed, { id: 'c_1' }))).toBe(expected);
    }
  });

  test.each([
    ['no subject', null],
    ['a subject without the value', { name: 'x' }],
    ['a null there', { id: null }],
  ])('are out of scope with %s', (_name, subject) => {
    expect(normalize(injecting, '{"customerId":"c_2"}', subject).type).toBe('scope');
  });

  test('that do not fit the schema are no mistake of the model, and their value is not told', () => {
    const result = normalize(injecting, '{}', { id: 'c' });
    expect(result.type).toBe('scope');
    expect(textOf(result)).not.toContain('"c"');
    expect(textOf(normalize(injecting, '{"amount":"1"}', { id: 'c' }))).toBe(
      'amount: must be a number (got "1")',
    );
  });

  test('are not told to a model that writes a field too many', () => {
    const closed = definition({ properties, additionalProperties: false }, { inject: { customerId: '/id' } });
    expect(textOf(normalize(closed, '{"x":1}', { id: 'c_1' }))).toBe(
      'x is not a known field (known: amount)',
    );
  });

  test('keep big integers and decimals', () => {
    const subject = '{"id":9007199254740993.10}' as JsonText;
    const free = definition({ properties: {} }, { inject: { customerId: '/id' } });
    const result = normalizeArguments({ definition: free, subject, proposed: '' });
    expect(textOf(result)).toBe('{"customerId":9007199254740993.10}');
  });
});

describe('constrained arguments', () => {
  const constrained = definition({ properties: {} }, { constrain: { account: '/account' } });

  test.each([
    ['{"account":"a1"}', { account: 'a1' }, 'ok'],
    ['{"account":3.0}', { account: 3 }, 'ok'],
    ['{"account":"A1"}', { account: 'a1' }, 'scope'],
    ['{"account":"3"}', { account: 3 }, 'scope'],
    ['{"account":"3.0"}', { account: '3' }, 'scope'],
    ['{}', { account: 'a1' }, 'scope'],
    ['{"account":"a1"}', {}, 'scope'],
    ['{"account":null}', { account: null }, 'scope'],
    ['{"account":"a1"}', null, 'scope'],
  ])('%s for %j: %s', (proposed, subject, expected) => {
    const result = normalize(constrained, proposed, subject);
    expect(result.type).toBe(expected);
    if (result.type === 'scope') expect(result.message).not.toContain('a1');
  });
});

describe('whatever the text is', () => {
  const open = definition({ properties: { a: { type: 'object', properties: { b: { default: 1 } } } } });

  test('nothing is thrown, and the same text gives the same answer', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.json().map((json) => `{"a":${json}}`),
    );
    fc.assert(
      fc.property(text, (proposed) => {
        const result = normalize(open, proposed);
        expect(normalize(open, proposed)).toEqual(result);
        if (result.type === 'ok') expect(result.bound.argumentsDigest).toBe(digestOf(result.bound.arguments));
      }),
      { numRuns: 1000 },
    );
  });

  test('ten thousand levels are a mistake of the model, not ours', () => {
    expect(textOf(normalize(open, '{"a":'.repeat(10_000)))).toContain('deeper than 64 levels');
  });

  test('NUL and lone surrogates pass, escaped', () => {
    expect(textOf(normalize(open, '{"z":"\\u0000\\ud800","\u0041":1}'))).toBe('{"A":1,"z":"\\u0000\\ud800"}');
  });
});
