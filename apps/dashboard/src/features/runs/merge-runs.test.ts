import type { Run } from '@countersign/contracts';
import { hasGap, mergeRuns, withMove } from './merge-runs';

/** Runs by number, the higher the newer; what the list does not look at is left out. */
const run = (number: number, status: Run['status'] = 'completed') =>
  ({ id: `run_${number}`, status, seq: 5 }) as Run;
const page = (numbers: readonly number[], nextCursor: string | null = 'more') => ({
  data: numbers.map((number) => run(number)),
  nextCursor,
});
const ids = (runs: readonly Run[]) => runs.map((one) => Number(one.id.slice(4)));
const none = new Map();

test('new runs stand on top, and those that they push down stay', () => {
  expect(ids(mergeRuns(page([7, 6, 5]), [page([5, 4, 3]), page([2, 1], null)], none))).toEqual([
    7, 6, 5, 4, 3, 2, 1,
  ]);
});

test('a run of the top that does not match any more is gone', () => {
  expect(ids(mergeRuns(page([5, 3]), [page([5, 4, 3]), page([2])], none))).toEqual([5, 3, 2]);
});

test('where the top is all there is, nothing else is', () => {
  expect(ids(mergeRuns(page([5, 3], null), [page([5, 4, 3])], none))).toEqual([5, 3]);
});

test('of a run further down a later status is known, an older one is not believed', () => {
  const moved = new Map([
    ['run_2', { runId: 'run_2', seq: 6, status: 'failed' as const }],
    ['run_1', { runId: 'run_1', seq: 4, status: 'running' as const }],
  ]);
  const merged = mergeRuns(page([5, 4]), [page([5, 4]), page([2, 1], null)], moved);
  expect(merged.slice(2).map(({ status }) => status)).toEqual(['failed', 'completed']);
});

test('of what is told of a run the newest is kept, whichever comes last', () => {
  const told = (seq: number, status: Run['status']) => ({ runId: 'run_1', seq, status });
  const moved = [told(6, 'completed'), told(2, 'running')].reduce(withMove, none);
  expect(moved.get('run_1')).toEqual(told(6, 'completed'));
  expect(withMove(moved, told(8, 'failed')).get('run_1')).toEqual(told(8, 'failed'));
});

test('so many new runs that some between were never read are a gap', () => {
  expect(hasGap(page([9, 8]), [page([5, 4])])).toBe(true);
  expect(hasGap(page([6, 5]), [page([5, 4])])).toBe(false);
  expect(hasGap(page([9, 8], null), [page([5, 4])])).toBe(false);
});
