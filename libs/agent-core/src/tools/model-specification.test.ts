import type { JsonText } from '../shared/brand.js';
import { tool } from '../testing/loop-fixtures.js';
import { specificationOf } from './model-specification.js';
import { moneyOf } from './money.js';

const shown = (schema: unknown, inject: Record<string, string>) =>
  specificationOf(tool('t', 'read', { parameters: JSON.stringify(schema) as JsonText, inject })).parameters;

describe('what the model is told', () => {
  test('injected arguments are out of properties and required, in the order as registered', () => {
    const schema = {
      type: 'object',
      required: ['b', 'customerId'],
      properties: {
        customerId: { type: 'string' },
        b: { type: 'object', properties: { customerId: {} } },
        a: {},
      },
      anyOf: [{ required: ['customerId'] }, { required: ['a'], properties: { customerId: {} } }],
    };
    expect(shown(schema, { customerId: '/id' })).toBe(
      JSON.stringify({
        type: 'object',
        required: ['b'],
        properties: { b: { type: 'object', properties: { customerId: {} } }, a: {} },
        anyOf: [{ required: [] }, { required: ['a'], properties: {} }],
      }),
    );
  });

  test('without injected arguments the schema is told as it is', () => {
    const schema = { type: 'object', required: ['b'], properties: { b: {}, a: { const: 1 } } };
    expect(shown(schema, {})).toBe(JSON.stringify(schema));
  });
});

describe('the money that a call moves', () => {
  const money = (args: string, path = '/amount') =>
    moneyOf(tool('t', 'once', { money: { path, currency: 'EUR' } }), args as JsonText);

  test.each([
    ['{"amount":12.50}', '12.50'],
    ['{"amount":"12.50"}', '12.50'],
    ['{"amount":1e2}', '100'],
    ['{"amount":9007199254740993}', '9007199254740993'],
  ])('%s is %s', (args, amount) => {
    expect(money(args)).toEqual({ amount, currency: 'EUR' });
  });

  test.each(['{}', '{"amount":"ten"}', '{"amount":null}', '{"amount":[1]}', '{"amount":1e999999}'])(
    '%s names none',
    (args) => {
      expect(money(args)).toBeNull();
    },
  );

  test('a tool may name none', () => {
    expect(moneyOf(tool('t', 'once'), '{"amount":1}' as JsonText)).toBeNull();
  });
});
