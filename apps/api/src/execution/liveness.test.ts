import { Liveness, type LivenessParts } from './liveness.js';

function livenessOf(parts: Partial<LivenessParts>): Liveness {
  return new Liveness({ patienceMs: 0, claimableWait: async () => 5_000, busy: () => false, ...parts });
}

const probe = (liveness: Liveness) => liveness.check().probe();

test('work that waits while this worker claims none makes it unready, and the wait is said', async () => {
  await expect(probe(livenessOf({}))).rejects.toThrow(
    'work has waited for 5 s and none is claimed: no wake-up',
  );
});

test('why claiming fails is said until a claim answers, even with nothing', async () => {
  const liveness = livenessOf({});
  await expect(liveness.claiming(() => Promise.reject(new Error('no permission')))).rejects.toThrow();
  await expect(probe(liveness)).rejects.toThrow('claiming fails: no permission');
  await liveness.claiming(async () => null);
  await expect(probe(liveness)).rejects.toThrow('no wake-up leads to a claim');
});

test.each<[string, Partial<LivenessParts>]>([
  ['no work waits', { patienceMs: 1_000, claimableWait: async () => 0 }],
  ['work waits less than the patience', { patienceMs: 6_000 }],
  ['all hands of the worker are full', { busy: () => true }],
])('a worker is ready where %s', async (_case, parts) => {
  await expect(probe(livenessOf(parts))).resolves.toBeUndefined();
});

test('a worker that has just claimed is ready, however much work waits', async () => {
  const liveness = livenessOf({ patienceMs: 60_000 });
  await liveness.claiming(async () => ({ runId: 'run_1' }));
  await expect(probe(liveness)).resolves.toBeUndefined();
});
