import { pauses } from './pauses.js';

test('what waits for the process has its turn while a long computation goes on', async () => {
  let served = false;
  setImmediate(() => {
    served = true;
  });
  const pause = pauses();
  let parts = 0;
  for (; !served && parts < 50_000_000; parts += 1) await pause();
  expect(served).toBe(true);
});

test('a short one is not held up', () => {
  expect(pauses()()).toBeUndefined();
});
