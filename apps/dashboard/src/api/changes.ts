import type { RunStatus } from '@countersign/contracts';
import { readEventStream } from './event-stream';
import { pause } from './pause';
import { ask } from './request';

/** Something moved: a run of the tenant is at `seq` now. A hint: some are lost, none is repeated. */
export interface RunChange {
  readonly runId: string;
  readonly seq: number;
  readonly status: RunStatus;
}

/** `connecting` until the stream is open, in this tab or in the one that reads it for all. */
export type LiveState = 'connecting' | 'live';

type Message = { readonly change: RunChange } | { readonly state: LiveState } | { readonly hello: true };

interface Listener {
  readonly changed: (change: RunChange) => void;
  readonly state: (state: LiveState) => void;
}

const AGAIN_AFTER_MS = 2_000;

/**
 * Hears of a tenant's changes until `signal` ends it. All tabs of the browser share one stream: browsers open six
 * connections to an origin, and a stream holds one for as long as it lives. Whoever holds the lock reads and tells the
 * others; when its tab closes, the next one takes the lock.
 */
export function followChanges(tenant: string, listener: Listener, signal: AbortSignal): void {
  const name = `countersign.changes.${tenant}`;
  const channel = new BroadcastChannel(name);
  let reads = false;
  let state: LiveState = 'connecting';
  const hear = (message: Message) => {
    if ('change' in message) {
      listener.changed(message.change);
    } else if ('state' in message) {
      state = message.state;
      listener.state(state);
    } else if (reads) {
      channel.postMessage({ state } satisfies Message);
    }
  };
  const tell = (message: Message) => {
    if (!signal.aborted) {
      channel.postMessage(message);
      hear(message);
    }
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  channel.postMessage({ hello: true } satisfies Message);
  signal.addEventListener('abort', () => channel.close());
  navigator.locks
    .request(name, { signal }, () => {
      reads = true;
      return readForAll(tenant, tell, signal);
    })
    .catch(() => undefined);
}

/** Reads the stream, again and again, until this tab goes. */
async function readForAll(tenant: string, tell: (message: Message) => void, signal: AbortSignal) {
  while (!signal.aborted) {
    await readOnce(tenant, tell, signal).catch(() => undefined);
    tell({ state: 'connecting' });
    await pause(AGAIN_AFTER_MS, signal);
  }
}

async function readOnce(tenant: string, tell: (message: Message) => void, signal: AbortSignal) {
  const response = await ask('/v1/changes', { tenant, signal, accept: 'text/event-stream' });
  if (response.body === null) {
    return;
  }
  tell({ state: 'live' });
  for await (const { event, data } of readEventStream(response.body)) {
    if (event === 'run') {
      tell({ change: JSON.parse(data) as RunChange });
    }
  }
}
