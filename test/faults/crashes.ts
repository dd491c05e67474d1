import type { Stack } from '../support/stack.js';
import { WORKER_POINTS } from './fault-points.cjs';
import { diesBefore, dyingAt, openRefund, playPerson, type RefundEnd, type Truth } from './refund.js';

/** A worker that dies at a point; whether the refund was made can be looked up afterwards, or not. */
export interface Crash {
  readonly point: string;
  readonly times: number;
  readonly truth: Truth;
}

/** Points that are passed before the person is asked and after: both passages are tried. */
const PASSED_TWICE = ['claim.returned', 'model.sent', 'reply.after'];
/** From here to there nobody but the shop knows whether the refund was made. */
const IN_DOUBT = ['intent.after', 'effect.sent', 'effect.answered', 'outcome.before'];
/** A run that the worker swept itself comes by later; a lease is renewed only where a run takes long. */
const ELSEWHERE = ['sweep.returned', 'leases.renewed'];

export const CRASHES: readonly Crash[] = WORKER_POINTS.filter((point) => !ELSEWHERE.includes(point)).flatMap(
  (point): readonly Crash[] => [
    { point, times: 1, truth: 'known' },
    ...(PASSED_TWICE.includes(point) ? [{ point, times: 2, truth: 'known' } as const] : []),
    ...(IN_DOUBT.includes(point) ? [{ point, times: 1, truth: 'unknowable' } as const] : []),
  ],
);
/** One refund that nothing disturbs. */
export async function playUndisturbed(stack: Stack): Promise<RefundEnd> {
  const world = await openRefund(stack, 'known');
  try {
    const { id } = await world.start('Refund order 1.', { agent: 'played' });
    return await playPerson(world, id);
  } finally {
    await world.close();
  }
}

/** The stack's first worker stands still until the one that is to die is dead. */
export async function crash(stack: Stack, { point, times, truth }: Crash): Promise<RefundEnd> {
  const world = await openRefund(stack, truth);
  const survivor = stack.workers[0];
  try {
    survivor?.signal('SIGSTOP');
    const victim = await stack.startWorker(dyingAt(point, times));
    const { id } = await world.start('Refund order 1.', { agent: 'played' });
    const end = playPerson(world, id);
    await diesBefore(victim, end).catch((error: unknown) => {
      throw new Error(`${point}:${times}: ${String(error)}`, { cause: error });
    });
    survivor?.signal('SIGCONT');
    return await end;
  } finally {
    survivor?.signal('SIGCONT');
    await world.close();
  }
}
