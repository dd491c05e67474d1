import type { Dispatcher } from 'undici';
import { isStopped } from '../platform/stop-signal.js';
import { EgressError } from './egress-connector.js';

/** One POST that is sent at most once. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** What is read of the body; the rest is dropped. */
  readonly maxBytes: number;
  /** True: a connection of its own, since a kept-alive one may be dead and nobody could say whether the call ran. */
  readonly fresh: boolean;
}

export type RequestResult =
  /** `complete` is false where the body broke off or timed out, `cut` is true where it was longer than maxBytes. */
  | {
      readonly type: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly body: Uint8Array;
      readonly complete: boolean;
      readonly cut: boolean;
    }
  | { readonly type: 'error'; readonly error: EgressError };

/** Sends one request over `dispatcher`. Never throws, never repeats, never follows a redirect, never inflates. */
export function sendOnce(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<RequestResult> {
  return new Promise((resolve) => {
    const end = (result: RequestResult) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const exchange = new Exchange(request.maxBytes, end, () => isStopped(signal));
    const abort = () => exchange.stop('aborted', 'The call was stopped.');
    const timer = setTimeout(
      () => exchange.stop('timeout', 'The time for the call was up.'),
      request.timeoutMs,
    );
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      dispatcher.dispatch(dispatchOptions(request), exchange);
    } catch (error) {
      exchange.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function dispatchOptions(request: OutgoingRequest): Dispatcher.DispatchOptions {
  return {
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: 'POST',
    headers: request.headers,
    body: Buffer.from(request.body, 'utf8'),
    reset: request.fresh,
    // Our own timer counts from the look-up to the last byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** One request and what has come of it so far. It ends once, and tells exactly whether anything was sent. */
class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private response: { status: number; headers: Record<string, string | undefined> } | null = null;
  private readonly chunks: Buffer[] = [];
  private received = 0;
  private ended = false;

  constructor(
    private readonly maxBytes: number,
    private readonly end: (result: RequestResult) => void,
    private readonly stopped: () => boolean,
  ) {}

  /** Called right before the first byte is written; an abort in here writes nothing. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.stopped()) this.stop('aborted', 'The call was stopped.');
    if (this.ended) controller.abort(new Error('ended before it was sent'));
    else this.controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const single = Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[0] : value,
    ]);
    this.response = { status, headers: Object.fromEntries(single) };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.maxBytes - this.received;
    this.chunks.push(chunk.subarray(0, room));
    this.received += Math.min(room, chunk.length);
    if (chunk.length > room) this.finish(true, true);
  }

  onResponseEnd(): void {
    this.finish(true, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.response !== null) this.finish(false, false);
    else this.settle({ type: 'error', error: error instanceof EgressError ? error : this.brokenBy(error) });
  }

  /** Ends the exchange from our side; where nothing was written yet, nothing will be. */
  stop(kind: 'timeout' | 'aborted', message: string): void {
    if (this.response !== null) this.finish(false, false);
    else this.settle({ type: 'error', error: new EgressError(kind, this.controller === null, message) });
  }

  private brokenBy(cause: Error): EgressError {
    const neverSent = this.controller === null;
    const message = neverSent ? 'The call could not be sent.' : 'The connection broke before an answer came.';
    return new EgressError('broken', neverSent, message, { cause });
  }

  private finish(complete: boolean, cut: boolean): void {
    if (this.response === null) return;
    this.settle({ type: 'response', ...this.response, body: Buffer.concat(this.chunks), complete, cut });
  }

  private settle(result: RequestResult): void {
    if (this.ended) return;
    this.ended = true;
    this.end(result);
    this.controller?.abort(new Error('ended'));
  }
}
