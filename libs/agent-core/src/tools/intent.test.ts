import fc from 'fast-check';
import type { JsonText } from '../shared/brand.js';
import { tool } from '../testing/loop-fixtures.js';
import { intentKeyOf } from './intent.js';
import type { ToolDefinition } from './tool-definition.js';

const key = (
  args: string,
  more: Partial<ToolDefinition> = {},
  run: { subject?: string; operationId?: string; name?: string } = {},
): string =>
  intentKeyOf({
    definition: tool(run.name ?? 'refund', 'once', { intent: ['/orderId'], intentScope: 'subject', ...more }),
    arguments: args as JsonText,
    subject: run.subject === undefined ? null : (run.subject as JsonText),
    operationId: run.operationId ?? 'run_1',
  });

test('a key is a digest', () => {
  expect(key('{"orderId":1}')).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('only the values that the intent names count', () => {
  expect(key('{"amount":1,"orderId":7}')).toBe(key('{"amount":2,"orderId":7}'));
  expect(key('{"orderId":7}')).not.toBe(key('{"orderId":8}'));
});

test('without named values all arguments count', () => {
  const all = { intent: null };
  expect(key('{"a":1,"b":2}', all)).toBe(key('{"b":2.0,"a":1}', all));
  expect(key('{"a":1,"b":2}', all)).not.toBe(key('{"a":1}', all));
});

test('an empty list of values is one intent for each scope', () => {
  expect(key('{"a":1}', { intent: [] })).toBe(key('{"a":2}', { intent: [] }));
});

test.each(['3', '3.0', '3e0', '0.3e1', '30E-1'])('%s is the number 3', (digits) => {
  expect(key(`{"orderId":${digits}}`)).toBe(key('{"orderId":3}'));
  expect(key(`{"orderId":[{"x":${digits}}]}`)).toBe(key('{"orderId":[{"x":3}]}'));
});

test('a text is not a number, and big integers are not rounded', () => {
  expect(key('{"orderId":"3"}')).not.toBe(key('{"orderId":3}'));
  expect(key('{"orderId":9007199254740993}')).not.toBe(key('{"orderId":9007199254740992}'));
});

test('a value that is missing counts as null', () => {
  expect(key('{}')).toBe(key('{"orderId":null}'));
});

test('values cannot slip from one place into another', () => {
  const two = { intent: ['/a', '/b'] };
  expect(key('{"a":"x"}', two)).not.toBe(key('{"b":"x"}', two));
});

test('the tool is part of it', () => {
  expect(key('{"orderId":1}', {}, { name: 'refund' })).not.toBe(key('{"orderId":1}', {}, { name: 'cancel' }));
});

describe('scope', () => {
  const order = '{"orderId":1}';

  test('subject: one for each id, whatever else the subject holds; no subject is one subject', () => {
    expect(key(order, {}, { subject: '{"id":"a","x":1}' })).toBe(
      key(order, {}, { subject: '{"id":"a"}', operationId: 'other' }),
    );
    expect(key(order, {}, { subject: '{"id":"a"}' })).not.toBe(key(order, {}, { subject: '{"id":"b"}' }));
    expect(key(order, {}, { operationId: 'a' })).toBe(key(order, {}, { operationId: 'b' }));
  });

  test('operation: one for each operation, whoever the subject is', () => {
    const scope = { intentScope: 'operation' as const };
    expect(key(order, scope, { subject: '{"id":"a"}' })).toBe(key(order, scope, { subject: '{"id":"b"}' }));
    expect(key(order, scope, { operationId: 'a' })).not.toBe(key(order, scope, { operationId: 'b' }));
  });

  test('tenant: one for all', () => {
    const scope = { intentScope: 'tenant' as const };
    expect(key(order, scope, { subject: '{"id":"a"}', operationId: 'a' })).toBe(
      key(order, scope, { operationId: 'b' }),
    );
  });

  test('scopes never share a key', () => {
    const keys = (['operation', 'subject', 'tenant'] as const).map((intentScope) =>
      key(order, { intentScope }, { subject: '{"id":"same"}', operationId: 'same' }),
    );
    expect(new Set(keys).size).toBe(3);
  });
});

test('any arguments have a key', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      expect(key(JSON.stringify(args), { intent: null })).toMatch(/^sha256:/);
    }),
  );
});
