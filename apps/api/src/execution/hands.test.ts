import { Hands } from './hands.js';
import type { Lease } from './leases.js';

const leaseOf = (runId: string): Lease => ({
  tenant: 'ten_a',
  runId,
  fence: '1',
  signal: new AbortController().signal,
});
const [first, second, third] = ['run_1', 'run_2', 'run_3'].map(leaseOf) as [Lease, Lease, Lease];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('no more runs give their hand than hands are asked for, and only those that were named', async () => {
  const ask = jest.fn(async () => ({ hands: 1, runs: ['run_1', 'run_2'] }));
  const hands = new Hands({ full: () => true, heldFor: () => [first, second, third], ask });
  expect(hands.gives(first)).toBe(false);
  await jest.advanceTimersToNextTimerAsync();
  expect([third, second, first].map((lease) => hands.gives(lease))).toEqual([false, true, false]);
  await jest.advanceTimersToNextTimerAsync();
  expect(hands.gives(first)).toBe(true);
  hands.stop();
});

test.each([
  ['a hand is free', false, [first]],
  ['no run was held for long', true, []],
])('nobody is asked while %s', async (_what, full, held) => {
  const ask = jest.fn(async () => ({ hands: 1, runs: ['run_1'] }));
  const hands = new Hands({ full: () => full, heldFor: () => held, ask });
  await jest.advanceTimersToNextTimerAsync();
  expect(ask).not.toHaveBeenCalled();
  expect(hands.gives(first)).toBe(false);
  hands.stop();
});

test('what was asked for is forgotten once nobody waits, or the question fails', async () => {
  const answers = [{ hands: 2, runs: ['run_1'] }, null, { hands: 2, runs: ['run_1'] }];
  const ask = async () => {
    if (answers.length === 0) throw new Error('away');
    return answers.shift() ?? null;
  };
  const hands = new Hands({ full: () => true, heldFor: () => [first], ask });
  const given: boolean[] = [];
  for (let look = 0; look < 4; look += 1) {
    await jest.advanceTimersToNextTimerAsync();
    given.push(hands.gives(first));
  }
  expect(given).toEqual([true, false, true, false]);
  hands.stop();
});
