import fc from 'fast-check';
import {
  compositeRows,
  EVENT_COLUMNS,
  MESSAGE_COLUMNS,
  MODEL_CALL_COLUMNS,
  TOOL_CALL_COLUMNS,
} from '../../apps/api/src/runs/projection/composite-rows.js';
import type { MessageRow } from '../../apps/api/src/runs/projection/message-rows.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

it.each<[string, readonly string[]]>([
  ['event_row', EVENT_COLUMNS],
  ['message_row', MESSAGE_COLUMNS],
  ['model_call_row', MODEL_CALL_COLUMNS],
  ['tool_call_row', TOOL_CALL_COLUMNS],
])('the columns of %s are those that are written, in their order', async (type, columns) => {
  const rows = await database.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum',
    [type],
  );
  expect(rows.map(({ name }) => name.replace(/_[a-z]/g, (part) => part[1]?.toUpperCase() ?? ''))).toEqual(
    columns,
  );
});

it('every text is read as it was written, beside numbers and nothing', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
    fc.constantFrom(
      '',
      'null',
      'NULL',
      '"',
      '\\',
      '{}',
      '()',
      ',',
      ' a ',
      '\\"',
      '{"a":"\\"b\\\\"}',
      'a\r\nb',
    ),
  );
  const row = fc.record({
    turn: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    position: fc.nat(),
    id: text,
    role: fc.option(text),
    content: text,
    createdAt: fc.maxSafeInteger(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), async (rows) => {
      const written = compositeRows(MESSAGE_COLUMNS, rows as readonly MessageRow[]);
      const read = await database.query<object>(
        `SELECT turn, position, id, role, content, created_at::float8 AS "createdAt"
         FROM unnest($1::message_row[])`,
        [written],
      );
      expect(read).toEqual(rows);
    }),
  );
});

it('no rows are null', () => {
  expect(compositeRows(MESSAGE_COLUMNS, undefined)).toBeNull();
});
