import { z } from 'zod';
import { plainWords } from './plain-words.js';

const wordsFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: plainWords }).error?.issues.map(({ message }) => message);

test.each<[string, z.ZodType, unknown, string]>([
  ['what is missing', z.string(), undefined, 'is required'],
  ['another kind', z.string(), 5, 'takes text'],
  ['no number', z.int(), 'a', 'takes a number'],
  ['no whole number', z.int(), 1.5, 'takes a whole number'],
  ['no list', z.array(z.string()), {}, 'takes a list'],
  ['none of two kinds', z.union([z.string(), z.array(z.string())]), 5, 'takes text or a list'],
  ['none of the values', z.enum(['day', 'month', 'total']), 'week', 'takes "day", "month" or "total"'],
  [
    'neither a value nor a kind',
    z.union([z.literal('auto'), z.strictObject({ tool: z.string() })]),
    5,
    'takes "auto" or an object',
  ],
  ['too small a number', z.int().min(1), 0, 'takes 1 or more'],
  ['too big a number', z.int().max(60), 61, 'takes 60 or less'],
  ['an empty text', z.string().min(1), '', 'is empty'],
  ['a short text', z.string().min(8), 'a', 'takes at least 8 characters'],
  ['a long list', z.array(z.int()).max(2), [1, 2, 3], 'takes at most 2 of them'],
  ['no moment', z.iso.datetime(), 'today', 'takes a moment with its offset, such as 2026-01-31T12:00:00Z'],
])('%s is said in plain words', (_what, schema, value, words) => {
  expect(wordsFor(schema, value)).toEqual([words]);
});

test('the words of the schema come first', () => {
  expect(wordsFor(z.string({ error: 'takes a name' }), 5)).toEqual(['takes a name']);
});
