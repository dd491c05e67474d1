import type { Writable } from 'node:stream';
import type { Delta, Relay } from '../platform/relay.js';
import { type EventRow, type EventView, eventView } from './event-view.js';
import { catchUp, isBehind } from './slow-reader.js';
import { deltaFrame, eventFrame, KEEP_ALIVE, KEEP_ALIVE_MS } from './sse.js';
import { ASK_AGAIN_MS, RunWatch } from './watch-run.js';

export interface StreamDependencies {
  readonly relay: Pick<Relay, 'subscribe'>;
  /** Events of a run with a number above `after`, oldest first, at most `limit`. */
  readonly eventsAfter: (
    tenant: string,
    runId: string,
    after: number,
    limit: number,
  ) => Promise<readonly EventRow[]>;
}

const BATCH = 100;

export interface StreamRequest {
  readonly tenant: string;
  readonly runId: string;
  /** The reader has everything up to this number. */
  readonly after: number;
  /** True where the run has ended already: what is stored is all that comes. */
  readonly ended: boolean;
}

/**
 * Writes the events of a run above `after` to `out`, each once and in order, and live text between them; ends `out`
 * after the final event. Returns when `out` was ended or `signal` was aborted.
 */
export async function streamEvents(
  { relay, eventsAfter }: StreamDependencies,
  { tenant, runId, after, ended }: StreamRequest,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const live = new LiveText(out);
  const watch = new RunWatch(relay, tenant, runId, (delta) => live.write(delta));
  const keepAlive = setInterval(() => out.write(KEEP_ALIVE), KEEP_ALIVE_MS);
  let seq = after;
  let finished = ended;
  try {
    while (!signal.aborted) {
      const rows = await eventsAfter(tenant, runId, seq, BATCH);
      const views = rows.map(eventView);
      // One write for what was read at once: each costs every proxy on the way, and the reader, as much as a large one.
      if (views.length > 0) out.write(views.map(eventFrame).join(''));
      for (const view of views) live.passed(view);
      seq = rows.at(-1)?.seq ?? seq;
      finished ||= rows.some(({ type }) => type === 'run.finished');
      if (!(await catchUp(out, signal))) return;
      if (rows.length === BATCH) continue;
      if (finished) {
        out.end();
        return;
      }
      live.open = true;
      await watch.beyond(seq, ASK_AGAIN_MS, signal);
    }
  } finally {
    clearInterval(keepAlive);
    watch.close();
  }
}

/** Live text goes out only between the stored events of its place: not while history is read, and not after its turn. */
class LiveText {
  open = false;
  /** The last turn whose reply is stored. */
  private turn = 0;

  constructor(private readonly out: Writable) {}

  passed({ type, data }: EventView): void {
    if (type === 'model.responded' && typeof data.turn === 'number') this.turn = data.turn;
  }

  write({ tenant: _, runId: __, ...delta }: Delta): void {
    if (!this.open || delta.turn <= this.turn || isBehind(this.out)) return;
    this.out.write(deltaFrame(delta));
  }
}
