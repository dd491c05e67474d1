import type { JsonText } from '../shared/brand.js';
import { tool } from '../testing/loop-fixtures.js';
import { applyEdit, type EditedArguments } from './edit-arguments.js';
import type { ToolDefinition } from './tool-definition.js';

const parameters = JSON.stringify({
  type: 'object',
  properties: {
    orderId: { type: 'integer' },
    amount: { type: 'number', minimum: 0 },
    note: { type: 'string' },
    urgent: {},
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' }, count: {} } } },
    speed: { type: 'string', default: 'slow' },
    customerId: { type: 'string' },
    account: { type: 'string' },
  },
  required: ['orderId'],
  additionalProperties: false,
}) as JsonText;

const SUBJECT = '{"account":"a1","id":"c1"}' as JsonText;
const CURRENT =
  '{"account":"a1","amount":10.50,"customerId":"c1","lines":[{"count":1,"sku":"s"}],"orderId":7,"speed":"slow","urgent":true}';

function edit(
  edited: string | ((current: Record<string, unknown>) => void),
  more: Partial<ToolDefinition> = {},
): EditedArguments {
  let text = edited;
  if (typeof text !== 'string') {
    const value = JSON.parse(CURRENT);
    (edited as (current: Record<string, unknown>) => void)(value);
    text = JSON.stringify(value);
  }
  const definition = tool('refund', 'once', {
    parameters,
    intent: ['/orderId'],
    inject: { customerId: '/id' },
    constrain: { account: '/account' },
    ...more,
  });
  return applyEdit({ definition, subject: SUBJECT, current: CURRENT as JsonText, edited: text as JsonText });
}

const outcome = (result: EditedArguments): string[] =>
  result.type === 'ok' ? ['ok'] : result.errors.map(({ path, message }) => `${path} ${message}`);

describe('without a list of what is editable', () => {
  test('what is not bound otherwise may change', () => {
    expect(outcome(edit((args) => Object.assign(args, { amount: 5, note: 'half', speed: 'fast' })))).toEqual([
      'ok',
    ]);
    expect(outcome(edit((args) => Reflect.deleteProperty(args, 'amount')))).toEqual(['ok']);
    expect(outcome(edit((args) => Object.assign(args, { lines: [] })))).toEqual(['ok']);
  });

  test.each([
    ['the intent', 'orderId', 8],
    ['an injected argument', 'customerId', 'c2'],
  ])('%s may not', (_name, field, value) => {
    expect(outcome(edit((args) => Object.assign(args, { [field]: value })))).toEqual([
      `/${field} must not be changed`,
    ]);
  });

  test('a constrained argument may not, nor be left out', () => {
    expect(edit((args) => Object.assign(args, { account: 'a2' })).type).toBe('refused');
    expect(edit((args) => Reflect.deleteProperty(args, 'account')).type).toBe('refused');
  });

  test('an injected argument may be left out, a default too', () => {
    const result = edit(
      '{"orderId":7,"account":"a1","amount":10.50,"lines":[{"count":1,"sku":"s"}],"urgent":true}',
    );
    expect(result.type === 'ok' && result.bound.arguments).toBe(CURRENT);
  });

  test('all may change where the intent is all arguments, but for the subject', () => {
    const all = { intent: null };
    expect(outcome(edit((args) => Object.assign(args, { orderId: 8 }), all))).toEqual(['ok']);
    expect(outcome(edit((args) => Object.assign(args, { customerId: 'x' }), all))).toEqual([
      '/customerId must not be changed',
    ]);
  });

  test('what holds a part of the intent may not change as a whole', () => {
    const nested = { intent: ['/lines/0/sku'] };
    expect(outcome(edit((args) => Object.assign(args, { lines: [{ sku: 's', count: 2 }] }), nested))).toEqual(
      ['ok'],
    );
    expect(outcome(edit((args) => Object.assign(args, { lines: 1 }), nested))[0]).toContain('/lines');
    expect(outcome(edit((args) => Object.assign(args, { lines: [] }), nested))).toEqual([
      '/lines/0 must not be changed',
    ]);
  });
});

describe('with a list of what is editable', () => {
  const editable = { editable: ['/amount', '/lines/0'] };

  test('that, and what is within it, may change; nothing else', () => {
    expect(
      outcome(edit((args) => Object.assign(args, { amount: 1, lines: [{ sku: 't', count: 1 }] }), editable)),
    ).toEqual(['ok']);
    expect(outcome(edit((args) => Object.assign(args, { note: 'x' }), editable))).toEqual([
      '/note must not be changed',
    ]);
    expect(
      outcome(edit((args) => Object.assign(args, { lines: [{ sku: 's', count: 1 }, {}] }), editable)),
    ).toEqual(['/lines/1 must not be changed']);
  });

  test('the intent may be on it, an injected argument never', () => {
    expect(outcome(edit((args) => Object.assign(args, { orderId: 8 }), { editable: ['/orderId'] }))).toEqual([
      'ok',
    ]);
    const injected = { editable: ['/customerId'] };
    expect(edit((args) => Object.assign(args, { customerId: 'x' }), injected).type).toBe('refused');
  });
});

describe('types and digits survive', () => {
  test('a number stays a number where the schema says so, and where it says nothing', () => {
    expect(outcome(edit((args) => Object.assign(args, { amount: '5' })))).toEqual([
      '/amount must be a number (got "5")',
    ]);
    expect(outcome(edit((args) => Object.assign(args, { lines: [{ sku: 's', count: '1' }] })))).toEqual([
      '/lines/0/count must stay a number',
    ]);
    expect(outcome(edit((args) => Object.assign(args, { urgent: 'true' })))).toEqual([
      '/urgent must stay true or false',
    ]);
    expect(outcome(edit((args) => Object.assign(args, { urgent: false })))).toEqual(['ok']);
  });

  test('an unchanged edit is the same text with the same digest', () => {
    const result = edit(CURRENT);
    expect(result.type === 'ok' && result.bound.arguments).toBe(CURRENT);
  });

  test('another spelling of a bound number is no change', () => {
    expect(outcome(edit(CURRENT.replace('"orderId":7', '"orderId":7.0')))).toEqual(['ok']);
  });
});

describe('an edit is validated like a proposal', () => {
  test.each([
    ['{"orderId":7', 'end of object'],
    ['[]', 'must be a JSON object'],
    ['{"orderId":7,"orderId":7}', 'occurs twice'],
    [CURRENT.replace('10.50', '-1'), '/amount must be at least 0 (got -1)'],
    [CURRENT.replace('"urgent"', '"hurry"'), '/hurry is not a known field'],
  ])('%s', (edited, message) => {
    expect(outcome(edit(edited)).join()).toContain(message);
  });
});
