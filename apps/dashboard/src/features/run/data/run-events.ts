import type { RunEvent } from '@countersign/contracts';
import type { StreamedEvent } from '../../../api/event-stream';
import { parseExactly } from '../../../api/exact-json';

/** What the model is writing at the moment: of no event yet. */
export interface LiveText {
  readonly turn: number;
  readonly text: string;
  /** The tools whose calls it has begun to write, by their place. */
  readonly tools: readonly string[];
}

/** What was read of a run's stream so far. */
export interface ReadEvents {
  readonly events: readonly RunEvent[];
  readonly live: LiveText | null;
}

export const NOTHING_READ: ReadEvents = { events: [], live: null };

type Delta = { readonly turn: number } & (
  | { readonly text: string }
  | { readonly index: number; readonly tool: string }
);

/** Adds what has arrived since. An event that is there already, as after a reconnect, is not added again. */
export function withArrived(read: ReadEvents, arrived: readonly StreamedEvent[]): ReadEvents {
  const fresh: RunEvent[] = [];
  let seq = read.events.at(-1)?.seq ?? 0;
  let live = read.live;
  for (const { event, data } of arrived) {
    const value = parseExactly(data);
    if (event === 'delta') {
      live = withDelta(live, value as Delta);
      continue;
    }
    const stored = value as RunEvent;
    if (stored.seq > seq) {
      fresh.push(stored);
      seq = stored.seq;
      live = endsText(stored) ? null : live;
    }
  }
  return { events: fresh.length === 0 ? read.events : [...read.events, ...fresh], live };
}

function withDelta(live: LiveText | null, delta: Delta): LiveText {
  const before = live?.turn === delta.turn ? live : { turn: delta.turn, text: '', tools: [] };
  if ('text' in delta) {
    return { ...before, text: before.text + delta.text };
  }
  const tools = [...before.tools];
  tools[delta.index] = delta.tool;
  return { ...before, tools };
}

/** The reply is stored, the attempt failed, or nobody writes any more: what was live is over. */
function endsText({ type }: RunEvent): boolean {
  return type.startsWith('model.') || type === 'run.handed_back' || type === 'run.finished';
}
