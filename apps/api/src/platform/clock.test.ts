import { startClock } from './clock.js';

describe('the clock', () => {
  afterEach(() => jest.useRealTimers());

  test('follows the time of Postgres, however far the own one is off', async () => {
    const clock = await startClock(async () => 1_000_000);
    const now = clock.now();
    expect(now).toBeGreaterThanOrEqual(999_000);
    expect(now).toBeLessThan(1_060_000);
    clock.stop();
  });

  test.each([
    ['on their way there', [80, 200, 10, 90], [0, 0, 0, 0]],
    ['on their way back', [0, 0, 0, 0], [80, 200, 10, 90]],
    ['on both', [40, 0, 4, 60], [40, 200, 6, 30]],
  ])(
    'is never ahead of Postgres, and behind by the soonest answer at most: held back %s',
    async (_where, there, back) => {
      jest.useFakeTimers();
      const clock = await startClock(async () => {
        jest.advanceTimersByTime(there.shift() ?? 0);
        const instant = Date.now();
        jest.advanceTimersByTime(back.shift() ?? 0);
        return instant;
      });
      expect(clock.now()).toBeLessThanOrEqual(Date.now());
      expect(clock.now()).toBeGreaterThanOrEqual(Date.now() - 10);
      clock.stop();
    },
  );

  test('never goes back', async () => {
    const clock = await startClock(async () => Date.now());
    let before = clock.now();
    for (let reading = 0; reading < 10_000; reading += 1) {
      const now = clock.now();
      expect(now >= before).toBe(true);
      before = now;
    }
    clock.stop();
  });

  test('does not start where Postgres does not answer', async () => {
    await expect(startClock(async () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});
