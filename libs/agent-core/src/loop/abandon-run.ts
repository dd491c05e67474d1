import { closeRun } from '../run/close-run.js';
import type { Definitions } from '../run/decide-context.js';
import { evolve, foldRun } from '../run/evolve.js';
import { giveUp } from '../run/give-up.js';
import type { Ending, Run } from '../run/run.js';
import type { RunEvent, StoredEvent } from '../run/run-event.js';
import type { LoopPorts, ReservationRequest } from './ports.js';
import type { LoopEnd } from './run-loop.js';

/** Why a run is abandoned, and what its worker still has open for it. */
export interface Abandonment {
  readonly ending: Ending;
  /** Empty where the definitions are what is missing: every effect in doubt is taken for one that must not be repeated. */
  readonly tools: Definitions['tools'];
  /** The model call that was reserved for and never settled. */
  readonly open: ReservationRequest | null;
}

/**
 * Ends a run that no worker can bring further: its own steps cannot be kept, or what it runs by is gone. It is folded
 * anew from its events, so that nothing of the step that failed is in what is written here. The open reservation is
 * settled in full, as for a lost worker; effects in doubt are asked for before the run ends.
 */
export async function abandonRun(
  { id, tenant }: Pick<Run, 'id' | 'tenant'>,
  abandonment: Abandonment,
  ports: Pick<LoopPorts, 'ledger' | 'now'>,
): Promise<LoopEnd> {
  for (;;) {
    const history = await ports.ledger.eventsAfter({ id, tenant }, 0);
    const before = foldRun({ id, tenant }, history);
    if (before.status.name !== 'running') return { type: 'stopped', run: before };
    const { events, after } = lastEvents(before, abandonment, Math.max(ports.now(), before.lastEventAt));
    const { open } = abandonment;
    const outcome = await ports.ledger.commit({
      events,
      before,
      after,
      settle: open === null ? null : { modelCallId: open.modelCallId, costUsd: open.amountUsd },
      reserve: null,
      intentions: [],
      governanceRevision: null,
    });
    if (outcome.type === 'committed') return { type: 'stopped', run: after };
    if (outcome.type !== 'moved') return { type: 'lost' };
  }
}

function lastEvents(
  before: Run,
  { ending, tools, open }: Abandonment,
  now: number,
): { readonly events: readonly StoredEvent[]; readonly after: Run } {
  const events: StoredEvent[] = [];
  let after = before;
  const append = (added: readonly RunEvent[]): void => {
    for (const event of added) {
      const stored = { seq: after.seq + 1, at: now, event };
      events.push(stored);
      after = evolve(after, stored);
    }
  };
  if (open !== null) append([notKept(open)]);
  append(giveUp(after, ending, { tools, now }));
  if (after.status.name === 'running') append(closeRun(after, after.ending ?? ending, { now }));
  return { events, after };
}

/** What was sent may have been billed: it is booked as reserved, and all of it is waste. */
function notKept({ amountUsd, ...head }: ReservationRequest): RunEvent {
  return {
    type: 'model.failed',
    ...head,
    code: 'unreadable',
    message: 'What the call led to could not be recorded.',
    httpStatus: null,
    retryable: false,
    retryAfterMs: null,
    usage: null,
    estimated: true,
    costUsd: amountUsd,
    wasteUsd: amountUsd,
  };
}
