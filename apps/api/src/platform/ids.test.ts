import { isId, newId } from './ids.js';

describe('a new id', () => {
  test('is one of its kind, and no two are equal', () => {
    const ids = Array.from({ length: 5_000 }, () => newId('run'));
    expect(ids.filter((id) => !isId('run', id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('stands behind every earlier one: pages go by id', () => {
    const ids = Array.from({ length: 5_000 }, () => newId('run'));
    expect([...ids].sort()).toEqual(ids);
  });
});
