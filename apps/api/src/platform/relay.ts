import type { Broadcast } from './broadcast.js';
import type { QueueLog } from './log.js';

/*
 * News between processes, for those who watch. Nothing here is needed for correctness (invariant I7): readers ask
 * Postgres again every second or so, and live text that is lost is gone.
 */

/** A run has events up to `seq` and stands at `status`. */
export interface Hint {
  readonly tenant: string;
  readonly runId: string;
  readonly seq: number;
  readonly status: string;
}

/** Live text of a model (`text`), or the call that it has begun to write (`tool`). */
export type Delta = { readonly tenant: string; readonly runId: string; readonly turn: number } & (
  | { readonly text: string }
  | { readonly index: number; readonly tool: string }
);

export interface RelayListener {
  readonly onHint: (hint: Hint) => void;
  readonly onDelta?: (delta: Delta) => void;
}

const HINTS = 'hints';
const DELTAS = 'deltas';

/** News is gathered for this long and then published at once; under load publications keep this distance. */
const GATHER_MS = 5;
const DISTANCE_MS = 25;

/** Bounds of what is kept while a publication hangs; beyond them the oldest is dropped. */
const HINTS_KEPT = 10_000;
const DELTAS_KEPT = 2_000;

/** Published at once at most: far from the 512 KiB that the relay takes, even where each character is escaped. */
const HINTS_AT_ONCE = 500;
const DELTA_CHARACTERS_AT_ONCE = 32_768;

/** Publishes news and hands what arrives to the listeners of this process, by run and by tenant. One for each process. */
export class Relay {
  /** By tenant and run, and by tenant alone. */
  private readonly listeners = new Map<string, Set<RelayListener>>();
  /** The newest hint of each run, by tenant and run. */
  private hints = new Map<string, Hint>();
  private deltas: Delta[] = [];
  private timer: NodeJS.Timeout | null = null;
  private publishedAt = 0;
  private publishing: Promise<void> = Promise.resolve();
  private subscribed: Promise<void> | null = null;

  constructor(
    private readonly broadcast: Broadcast,
    private readonly log: QueueLog,
  ) {}

  /** Tells every process that a run moved. Returns at once. */
  hint(hint: Hint): void {
    keepNewest(this.hints, channel(hint.tenant, hint.runId), hint, HINTS_KEPT);
    this.gather();
  }

  /** Passes live text on. Returns at once. */
  delta(delta: Delta): void {
    this.deltas.push(delta);
    if (this.deltas.length > DELTAS_KEPT) this.deltas.shift();
    this.gather();
  }

  /**
   * Hears of one run of one tenant until the returned function is called. What was published before is not heard, and
   * neither is everything after: ask Postgres once after subscribing, and now and then.
   */
  subscribe(tenant: string, runId: string, listener: RelayListener): () => void {
    return this.listen(channel(tenant, runId), listener);
  }

  /** Hears of every run of one tenant, save for live text, until the returned function is called. As `subscribe`. */
  subscribeTenant(tenant: string, onHint: (hint: Hint) => void): () => void {
    return this.listen(channel(tenant, EVERY_RUN), { onHint });
  }

  private listen(key: string, listener: RelayListener): () => void {
    this.subscribed ??= this.open();
    const listeners = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(key) === listeners) this.listeners.delete(key);
    };
  }

  /** Resolves once news of other processes is heard; for those who must not miss the first. */
  async ready(): Promise<void> {
    this.subscribed ??= this.open();
    await this.subscribed;
  }

  /** Publishes what was gathered, waits at most `graceMs`, and lets go of the store. */
  async close(graceMs = 1_000): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([
      this.publishing.then(() => this.flush()).then(() => this.broadcast.close()),
      timeout,
    ]);
  }

  private gather(): void {
    const distance = this.publishedAt + DISTANCE_MS - performance.now();
    this.timer ??= setTimeout(
      () => {
        this.publishing = this.flush().finally(() => {
          this.timer = null;
          this.publishedAt = performance.now();
          if (this.hints.size > 0 || this.deltas.length > 0) this.gather();
        });
      },
      Math.max(GATHER_MS, distance),
    );
  }

  private async flush(): Promise<void> {
    const hints = [...this.hints.values()];
    const deltas = this.deltas;
    this.hints = new Map();
    this.deltas = [];
    try {
      for (let from = 0; from < hints.length; from += HINTS_AT_ONCE) {
        await this.broadcast.publish(HINTS, hints.slice(from, from + HINTS_AT_ONCE));
      }
      for (const batch of batches(deltas)) await this.broadcast.publish(DELTAS, batch);
    } catch (error) {
      this.log.warn({ err: error }, 'news was not published: readers ask Postgres');
    }
  }

  private async open(): Promise<void> {
    try {
      await this.broadcast.subscribe<readonly Hint[]>(HINTS, (data) => {
        for (const hint of data) {
          this.tell(channel(hint.tenant, hint.runId), (listener) => listener.onHint(hint));
          this.tell(channel(hint.tenant, EVERY_RUN), (listener) => listener.onHint(hint));
        }
      });
      await this.broadcast.subscribe<readonly Delta[]>(DELTAS, (data) => {
        for (const delta of data) {
          this.tell(channel(delta.tenant, delta.runId), (listener) => listener.onDelta?.(delta));
        }
      });
    } catch (error) {
      this.subscribed = null;
      this.log.warn({ err: error }, 'no news of other processes: readers ask Postgres');
    }
  }

  private tell(key: string, call: (listener: RelayListener) => void): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) call(listener);
  }
}

/** In the place of a run's id, of which none is empty. */
const EVERY_RUN = '';

function channel(tenant: string, runId: string): string {
  return `${tenant}/${runId}`;
}

/**
 * Keeps a hint under its key, last of all, unless a newer one of its run is there: what is told first may arrive last.
 * Beyond `most` the oldest is dropped.
 */
export function keepNewest(hints: Map<string, Hint>, key: string, hint: Hint, most: number): void {
  const known = hints.get(key);
  if (known !== undefined && known.seq > hint.seq) return;
  hints.delete(key);
  hints.set(key, hint);
  const [oldest] = hints.keys();
  if (hints.size > most && oldest !== undefined) hints.delete(oldest);
}

/** Cuts a list of deltas so that none of its parts outgrows a publication; a single huge delta is dropped. */
function batches(deltas: readonly Delta[]): Delta[][] {
  const parts: Delta[][] = [];
  let room = 0;
  for (const delta of deltas) {
    const size = 'text' in delta ? delta.text.length + 100 : 200;
    if (size > DELTA_CHARACTERS_AT_ONCE) continue;
    if (size > room) {
      parts.push([]);
      room = DELTA_CHARACTERS_AT_ONCE;
    }
    parts.at(-1)?.push(delta);
    room -= size;
  }
  return parts;
}
