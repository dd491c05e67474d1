import type { ConversationItem } from '../model/conversation.js';
import { lastTurn, resultOf } from './calls.js';
import { conversationOf } from './conversation.js';
import { evolve, foldRun } from './evolve.js';
import type { Run, Turn } from './run.js';
import type { StoredEvent } from './run-event.js';

/** The events of one run of a thread, oldest first. */
export interface PastRun {
  readonly id: string;
  readonly tenant: string;
  readonly events: readonly StoredEvent[];
}

/**
 * What a thread's earlier runs, oldest first, said: completed ones whole, others up to the last turn whose calls all
 * have results (CONTRACT, Threads). Each counts as it was when it ended: an outcome that becomes known later changes no
 * conversation that a model was sent already.
 */
export function threadHistory(runs: readonly PastRun[]): readonly ConversationItem[] {
  return runs.flatMap((past) => conversationOf(withoutLooseEnd(asItEnded(past)), []));
}

function asItEnded({ id, tenant, events: [created, ...rest] }: PastRun): Run {
  let run = foldRun({ id, tenant }, created === undefined ? [] : [created]);
  for (const stored of rest) {
    run = evolve(run, stored);
    if (run.status.name === 'finished') break;
  }
  return run;
}

function withoutLooseEnd(run: Run): Run {
  const last = lastTurn(run);
  if (last === null || isWhole(last)) return run;
  const before = run.turns.slice(0, -1);
  const answered = last.calls.every((call) => resultOf(call) !== null);
  return { ...run, turns: answered ? [...before, { ...last, raw: [] }] : before };
}

/** A reply that was cut off may hold items that its provider does not take back: only its words and calls are kept. */
function isWhole({ finish, calls }: Turn): boolean {
  const ended = finish.unified === 'stop' || finish.unified === 'tool_calls';
  return ended && calls.every((call) => resultOf(call) !== null);
}
