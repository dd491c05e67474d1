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

  test('is not off by an answer that was held back, where another one came at once', async () => {
    jest.useFakeTimers();
    const heldBackMs = [80, 200, 0, 90];
    const clock = await startClock(async () => {
      const instant = Date.now();
      jest.advanceTimersByTime(heldBackMs.shift() ?? 0);
      return instant;
    });
    expect(clock.now()).toBe(Date.now());
    clock.stop();
  });

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
