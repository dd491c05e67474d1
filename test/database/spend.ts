import { reply, reservation } from './events.js';
import { commit, type Held, type World } from './support.js';

/** One whole model call. Gives the run afterwards, or the refusal. */
export async function spend(world: World, at: Held, amountUsd: string, costUsd: string) {
  const call = reservation(amountUsd);
  const reserved = await commit(world, at, { reserve: call });
  if (reserved.outcome.type !== 'committed' || reserved.outcome.reservation !== 'granted') return reserved;
  return commit(
    world,
    { ...at, run: reserved.run },
    {
      events: [reply(call.modelCallId, { costUsd, turn: at.run.turns.length + 1 })],
      settle: { modelCallId: call.modelCallId, costUsd },
    },
  );
}
