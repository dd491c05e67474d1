import pino from 'pino';
import { gate } from '../../../../test/support/gate.js';
import type { ClaimedRun, ClaimFrom } from './claim.repository.js';
import { startProcessors } from './processors.js';

/** A worker of one hand, the runs that it may claim, and wake-ups at will. */
function oneHand(waiting: { everybody: string[]; newcomers: string[] }) {
  const claims: [ClaimFrom, string | null][] = [];
  const ends = new Map<string, () => void>();
  let job: () => Promise<void> = () => Promise.reject(new Error('no worker was opened'));
  let hands = 0;
  startProcessors({
    queue: {
      openWorker: (handler, concurrency) => {
        [job, hands] = [handler, concurrency];
        return { close: async () => undefined };
      },
    },
    claim: async (from) => {
      const runId =
        waiting.newcomers.shift() ?? (from === 'everybody' ? waiting.everybody.shift() : undefined);
      claims.push([from, runId ?? null]);
      return runId === undefined ? null : ({ runId, waited: 0 } as ClaimedRun);
    },
    execute: async ({ runId }) => {
      const end = gate();
      ends.set(runId, end.open);
      await end.opened;
      return false;
    },
    concurrency: 1,
    log: pino({ level: 'silent' }),
  });
  const end = async (runId: string): Promise<void> => {
    while (!ends.has(runId)) await Promise.resolve();
    ends.get(runId)?.();
  };
  return { claims, hands: () => hands, wake: () => job(), end };
}

test('while all hands are taken, a wake-up serves only tenants that have nothing running', async () => {
  const waiting = { everybody: ['run_a'], newcomers: [] as string[] };
  const { claims, hands, wake, end } = oneHand(waiting);
  expect(hands()).toBe(2);
  const first = wake();
  await Promise.resolve();
  waiting.newcomers.push('run_new');
  const second = wake();
  await Promise.resolve();
  expect(claims).toEqual([
    ['everybody', 'run_a'],
    ['newcomers', 'run_new'],
  ]);
  await end('run_new');
  await end('run_a');
  await Promise.all([first, second]);
});

test('a wake-up that finds all hands taken is remembered until one is free', async () => {
  const waiting = { everybody: ['run_a'], newcomers: [] as string[] };
  const { claims, wake, end } = oneHand(waiting);
  const first = wake();
  await Promise.resolve();
  waiting.everybody.push('run_b');
  await wake();
  expect(claims.at(-1)).toEqual(['newcomers', null]);
  await end('run_a');
  await end('run_b');
  await first;
  expect(claims.at(-1)).toEqual(['everybody', 'run_b']);
});
