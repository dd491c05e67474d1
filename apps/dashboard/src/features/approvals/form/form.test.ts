import fc from 'fast-check';
import { parseExactly, writeExactly } from '../../../api/exact-json';
import { changesBetween } from '../changes';
import { withControl, withItem, withoutItem, withPresence } from './change-form';
import type { Control, EditRules, Field, Schema } from './field';
import { newItem, openForm } from './open-form';
import { isChangedAt, readForm } from './read-form';

const OPEN: EditRules = { editable: null, intent: null };

const refund = {
  type: 'object',
  properties: {
    customer_id: { type: 'string' },
    orderId: { type: 'integer', description: 'The number of the order.' },
    amount: { type: 'number' },
    day: { type: 'string', format: 'date' },
    notify: { type: 'boolean' },
    speed: { enum: ['slow', 'fast', 3] },
    note: { type: 'string' },
    address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    odd: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['orderId', 'amount'],
  $defs: { line: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } } },
};
const VALUE =
  '{"customer_id":"C-1","orderId":9007199254740993,"amount":129.00,"day":"2026-10-21","notify":true,"speed":3,' +
  '"address":{"city":"Bogotá"},"lines":[{"sku":"a","count":1},{"sku":"b","count":2}],"odd":null,"extra":1.50}';

const open = (rules: EditRules = OPEN, text = VALUE, schema: Schema = refund) =>
  openForm(schema, parseExactly(text), rules);

/** The field at a path that the test knows to be there. */
function at(root: Field, path: string): Field {
  const inner =
    root.control.kind === 'group'
      ? root.control.fields
      : root.control.kind === 'list'
        ? root.control.items
        : [];
  const next = inner.find((field) => path === field.path || path.startsWith(`${field.path}/`));
  if (next === undefined) throw new Error(`there is no field ${path}`);
  return next.path === path ? next : at(next, path);
}
const argumentsOf = (form: Field): string => {
  const read = readForm(form);
  if (read.type === 'invalid') throw new Error(JSON.stringify(read.problems));
  return writeExactly(read.value);
};
const problemsOf = (form: Field) => {
  const read = readForm(form);
  return read.type === 'invalid' ? read.problems.map(({ path }) => path) : [];
};

describe('what is marked as changed', () => {
  const changedIn = (form: Field) =>
    ['/customer_id', '/orderId', '/amount', '/speed', '/address/city', '/lines'].filter((path) =>
      isChangedAt(form, parseExactly(VALUE), path),
    );
  const withDigits = (path: string, digits: string): Field => {
    const form = open();
    return withControl(form, path, { ...at(form, path).control, digits } as Control);
  };

  test('nothing, before anything is', () => expect(changedIn(open())).toEqual([]));
  test.each(['12.50', 'abc', ''])('only the field that holds another value: %p', (digits) => {
    expect(changedIn(withDigits('/amount', digits))).toEqual(['/amount']);
  });
  test('a wrong value in a list, and nothing beside it', () => {
    expect(changedIn(withDigits('/lines/1/count', 'two'))).toEqual(['/lines']);
  });
});

describe('a form from a schema', () => {
  test.each<[string, Control['kind']]>([
    ['/customer_id', 'text'],
    ['/orderId', 'number'],
    ['/amount', 'number'],
    ['/day', 'date'],
    ['/notify', 'flag'],
    ['/speed', 'choice'],
    ['/address', 'group'],
    ['/address/city', 'text'],
    ['/lines', 'list'],
    ['/lines/1/count', 'number'],
    ['/odd', 'json'],
    ['/extra', 'number'],
  ])('shows %s as %s', (path, kind) => {
    expect(at(open(), path).control.kind).toBe(kind);
  });

  test('says what the schema says, and what may be left out', () => {
    expect(at(open(), '/orderId')).toMatchObject({ note: 'The number of the order.', required: true });
    expect(at(open(), '/note')).toMatchObject({ required: false, present: false });
  });

  test('untouched, it stands for the arguments to the digit', () => {
    expect(changesBetween(parseExactly(VALUE), parseExactly(argumentsOf(open())))).toEqual([]);
    expect(argumentsOf(open())).toContain('"amount":129.00');
  });

  test('whatever the arguments and the schema are, untouched they stay as they are', () => {
    const schemas = fc.constantFrom<Schema>(
      { ...refund, required: [] },
      {},
      { type: 'object' },
      { $ref: '#' },
      { type: ['object', 'null'] },
    );
    fc.assert(
      fc.property(fc.json(), schemas, (text, schema) => {
        const value = parseExactly(text);
        expect(changesBetween(value, parseExactly(argumentsOf(openForm(schema, value, OPEN))))).toEqual([]);
      }),
    );
  });

  test.each<[string, string, Schema]>([
    ['a text where a number belongs', '{"orderId":"3","amount":1}', refund],
    ['a value that is not offered', '{"speed":"warp"}', refund],
    ['a union', '{"odd":1}', refund],
  ])('falls back to JSON for %s', (_name, text, schema) => {
    const form = open(OPEN, text, schema);
    const kinds = form.control.kind === 'group' ? form.control.fields.map(({ control }) => control.kind) : [];
    expect(kinds).toContain('json');
  });

  test('a day that is none stays a text', () => {
    expect(at(open(OPEN, '{"day":"October 1st"}'), '/day').control).toEqual({
      kind: 'text',
      text: 'October 1st',
    });
  });

  test('a schema that refers to itself ends', () => {
    const tree: Schema = { type: 'object', properties: { left: { $ref: '#' } } };
    const deepest = `/left${'/left'.repeat(4)}`;
    expect(at(open(OPEN, '{"left":{"left":{}}}', tree), deepest).control.kind).toBe('group');
    expect(at(open(OPEN, '{"left":{"left":{}}}', tree), `${deepest}/left`).control.kind).toBe('json');
  });
});

describe('a changed form', () => {
  test.each<[string, Control, string]>([
    ['/amount', { kind: 'number', digits: '100.10', integer: false }, '"amount":100.10'],
    ['/orderId', { kind: 'number', digits: '9007199254740995', integer: true }, '"orderId":9007199254740995'],
    ['/note', { kind: 'text', text: '007' }, '"note":"007"'],
    ['/notify', { kind: 'flag', on: false }, '"notify":false'],
    ['/speed', { kind: 'choice', options: ['slow', 'fast', 3], chosen: 0 }, '"speed":"slow"'],
    ['/odd', { kind: 'json', text: '{"a":1.0}' }, '"odd":{"a":1.0}'],
    ['/lines/1/count', { kind: 'number', digits: '5', integer: true }, '{"sku":"b","count":5}'],
  ])('has %s changed and nothing else', (path, control, part) => {
    const text = argumentsOf(withControl(open(), path, control));
    expect(text).toContain(part);
    const changed = changesBetween(parseExactly(VALUE), parseExactly(text));
    expect(changed.every((change) => change.path.startsWith(path))).toBe(true);
    expect(changed.length).toBeGreaterThan(0);
  });

  test.each<[string, Control]>([
    ['/orderId', { kind: 'number', digits: '1.5', integer: true }],
    ['/orderId', { kind: 'number', digits: '', integer: true }],
    ['/amount', { kind: 'number', digits: '1,000', integer: false }],
    ['/amount', { kind: 'number', digits: '01', integer: false }],
    ['/odd', { kind: 'json', text: '{a}' }],
    ['/speed', { kind: 'choice', options: ['slow'], chosen: -1 }],
  ])('with %s as %j is not handed over', (path, control) => {
    expect(problemsOf(withControl(open(), path, control))).toEqual([path]);
  });

  test('leaves out what may be left out, and nothing that is required', () => {
    expect(argumentsOf(withPresence(open(), '/address', false))).not.toContain('address');
    expect(argumentsOf(withPresence(open(), '/amount', false))).toContain('"amount":129.00');
  });

  test('a list grows by an empty item, and closes the gap of one that is taken out', () => {
    const form = open();
    const item = newItem(refund, OPEN, at(form, '/lines'));
    const longer = withItem(form, '/lines', item as Field);
    expect(at(longer, '/lines/2').control.kind).toBe('group');
    const shorter = withoutItem(longer, '/lines', 0);
    expect(at(shorter, '/lines/0/sku').control).toEqual({ kind: 'text', text: 'b' });
    expect(argumentsOf(shorter)).toContain('"lines":[{"sku":"b","count":2},{}]');
  });

  test('a member called __proto__ is a member', () => {
    expect(argumentsOf(open(OPEN, '{"__proto__":{"a":1}}', {}))).toBe('{"__proto__":{"a":1}}');
  });
});

describe('what may not be changed', () => {
  const lockOf = (rules: Partial<EditRules>, path: string, text = VALUE) => {
    const { control } = at(open({ ...OPEN, ...rules }, text), path);
    return control.kind === 'locked' ? control.lock : null;
  };

  test.each<[Partial<EditRules>, string, string | null]>([
    [{ intent: ['/orderId'] }, '/orderId', 'intent'],
    [{ intent: ['/orderId'] }, '/amount', null],
    [{ intent: ['/address/city'] }, '/address/city', 'intent'],
    [{ intent: ['/lines'] }, '/lines', 'intent'],
    [{ inject: { customer_id: '/id' } }, '/customer_id', 'subject'],
    [{ constrain: { address: '/home' } }, '/address', 'subject'],
    [{ editable: ['/amount'] }, '/amount', null],
    [{ editable: ['/amount'] }, '/orderId', 'unlisted'],
    [{ editable: ['/address/city'] }, '/address/city', null],
    [{ editable: ['/orderId'], intent: ['/orderId'] }, '/orderId', null],
    [{ editable: ['/customer_id'], inject: { customer_id: '/id' } }, '/customer_id', 'subject'],
    [{ editable: [] }, '/amount', 'unlisted'],
  ])('with %j, %s is locked: %s', (rules, path, lock) => {
    expect(lockOf(rules, path)).toBe(lock);
  });

  test('is handed over as it was', () => {
    const locked = open({ ...OPEN, editable: [] });
    expect(changesBetween(parseExactly(VALUE), parseExactly(argumentsOf(locked)))).toEqual([]);
  });
});

describe('an amount that its schema wants with two decimals', () => {
  const schema = (pattern: string): Schema => ({
    type: 'object',
    properties: { amount: { type: 'string', pattern } },
    required: ['amount'],
  });
  const edited = (text: string, pattern = '^\\d+\\.\\d{2}$') => {
    const form = open(OPEN, '{"amount":"89.00"}', schema(pattern));
    const { control } = at(form, '/amount');
    if (control.kind !== 'text') throw new Error('it is no text');
    return readForm(withControl(form, '/amount', { ...control, text }));
  };

  test.each([
    ['60', '60.00'],
    ['60.', '60.00'],
    ['60.5', '60.50'],
    [' 60.25 ', '60.25'],
  ])('takes %p for %s', (text, amount) => {
    expect(edited(text)).toEqual({ type: 'value', value: { amount } });
  });

  test.each(['', '$60', '60.123', 'sixty', '-60'])('says of %p in plain words what it needs', (text) => {
    expect(edited(text)).toEqual({
      type: 'invalid',
      problems: [{ path: '/amount', message: 'Needs two decimals, as in 60.00.' }],
    });
  });

  test('a completed amount that the pattern still does not take is not made up', () => {
    expect(edited('6000', '^\\d{1,3}\\.\\d{2}$').type).toBe('invalid');
  });

  test.each(['^\\d+$', '^\\d+(\\.\\d+)?$', '(', '^[a-z]+$'])(
    'leaves texts of the pattern %p as they are',
    (pattern) => {
      expect(edited('60', pattern)).toEqual({ type: 'value', value: { amount: '60' } });
    },
  );
});
