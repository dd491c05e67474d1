import { type Line, lineFor } from './pipeline.js';

const NOW = 1_000;
const MOST = 3;
const idle: Line = { sent: 0, firstSince: 0 };
const moving: Line = { sent: 11, firstSince: NOW - 4 };
const full: Line = { sent: 12, firstSince: NOW - 1 };
const still: Line = { sent: 1, firstSince: NOW - 5 };

it.each<[string, Line[], Line | null]>([
  ['without a connection one is opened', [], null],
  ['one is kept busy before another is used', [moving, idle], moving],
  ['nothing is sent behind a statement that takes long', [still, idle], idle],
  ['nothing is sent behind a dozen', [full, idle], idle],
  ['where none moves on another is opened', [full, still], null],
  ['where none may be opened the one with the fewest is taken', [full, { ...still, sent: 2 }, still], still],
])('%s', (_rule, lines, expected) => {
  expect(lineFor(lines, NOW, MOST)).toBe(expected);
});
