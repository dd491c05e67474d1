import type { Digest } from '../shared/brand.js';
import type { ModelRequest } from './conversation.js';
import type { ModelEvent } from './model-event.js';

/** An encoded request, ready to be sent once. */
export interface PreparedCall {
  /** Bytes of the encoded request body: the upper bound of its input tokens (CONTRACT, Admission). */
  readonly requestBytes: number;
  readonly requestDigest: Digest;
  /**
   * Sends the request. Never throws: the last event is always `response` or `failure`. An abort of `signal` gives a
   * `failure` with code `aborted`. No retries in here: the loop decides about them.
   */
  send(signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Where a request goes and with which key. Resolved for each call; never stored, never logged. */
export interface ModelAccess {
  readonly apiKey: string;
  readonly baseUrl: string | null;
  /** A fetch that passes the egress guard. */
  readonly fetch: typeof globalThis.fetch;
}

/** One wire API of one vendor. */
export interface ModelAdapter {
  /** Names of the adapter's and the SDK's versions, recorded with each call. */
  readonly revision: { readonly adapter: string; readonly sdk: string };
  prepare(request: ModelRequest, access: ModelAccess): PreparedCall;
}
