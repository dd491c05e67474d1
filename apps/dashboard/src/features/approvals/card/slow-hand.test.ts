import { isMeant, noteChange } from './slow-hand';

test('a press right after a change belongs to what was there before it', () => {
  expect(isMeant(1_000)).toBe(true);
  noteChange(1_000);
  expect(isMeant(1_001)).toBe(false);
  expect(isMeant(1_399)).toBe(false);
  expect(isMeant(1_400)).toBe(true);
});
