import type { Stack } from '../support/stack.js';
import { WORKER_POINTS } from './fault-points.cjs';
import { diesBefore, dyingAt, openRefund, playPerson, type RefundEnd, type Truth } from './refund.js';

/** A worker that dies at a point; whether the refund was made can be looked up afterwards, or not. */
export interface Crash {
  readonly point: string;
  readonly times: number;
  readonly truth: Truth;
}

/** Points that are passed before the person is asked and after. */
const PASSED_TWICE = ['claim.returned', 'model.sent', 'reply.after'];
/** From here to there nobody but the shop knows whether the refund was made. */
const IN_DOUBT = ['intent.after', 'effect.sent', 'effect.answered', 'outcome.before'];
/** A run that the worker swept itself comes by later; a lease is renewed only where a run takes long. */
const ELSEWHERE = ['sweep.returned', 'leases.renewed'];

const POINTS = WORKER_POINTS.filter((point) => !ELSEWHERE.includes(point));
const at = (times: number, truth: Truth) => (point: string) => ({ point, times, truth });

/** Each point once, and both ends of the time in doubt where the refund cannot be looked up. */
export const EACH_POINT: readonly Crash[] = [
  ...POINTS.map(at(1, 'known')),
  ...['intent.after', 'effect.answered'].map(at(1, 'unknowable')),
];

/** Each point at each passage, and the whole time in doubt. */
export const EACH_PASSAGE: readonly Crash[] = [
  ...POINTS.map(at(1, 'known')),
  ...PASSED_TWICE.map(at(2, 'known')),
  ...IN_DOUBT.map(at(1, 'unknowable')),
];

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

/** A refund whose worker dies at a point. */
export async function crash(stack: Stack, { point, times, truth }: Crash): Promise<RefundEnd> {
  const world = await openRefund(stack, truth);
  try {
    const { ending } = await whileOthersDie(stack, async () => {
      const victim = await stack.startWorker(dyingAt(point, times));
      const { id } = await world.start('Refund order 1.', { agent: 'played' });
      const end = playPerson(world, id);
      await diesBefore(victim, end).catch((error: unknown) => {
        throw new Error(`${point}:${times}: ${String(error)}`, { cause: error });
      });
      return { ending: end };
    });
    return await ending;
  } finally {
    await world.close();
  }
}

/** The stack's own worker stands still while others die, and goes on when all of them are dead. */
export async function whileOthersDie<Result>(stack: Stack, dying: () => Promise<Result>): Promise<Result> {
  const survivor = stack.workers[0];
  survivor?.signal('SIGSTOP');
  return dying().finally(() => survivor?.signal('SIGCONT'));
}
