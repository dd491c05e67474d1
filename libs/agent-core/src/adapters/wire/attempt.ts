import type { ModelAccess } from '../../model/model.js';
import type { ModelEvent, ModelFailure, Usage } from '../../model/model-event.js';
import { failureOf, type SdkError } from './failure.js';
import { limitedResponse } from './limited-response.js';
import { LONGEST_SILENCE_MS } from './limits.js';
import { asObject } from './wire-value.js';

/** Events that only keep a connection open: Anthropic's, and OpenAI's. */
const PINGS: ReadonlySet<unknown> = new Set(['ping', 'keepalive']);

/**
 * One attempt at a provider. Its abort is its own, so that nothing stays tied to the caller's long-lived signal, and
 * its `fetch` follows no redirect, and remembers what an SDK may hide: whether anything was tried, what the transport
 * threw, and the response that refused.
 */
export class Attempt {
  readonly controller = new AbortController();
  private readonly abort = () => this.controller.abort();
  private wasTried = false;
  private wasSilent = false;
  private silence: NodeJS.Timeout | null = null;
  private transportError: unknown = null;
  private refusal: Response | null = null;

  constructor(
    private readonly access: ModelAccess,
    private readonly signal: AbortSignal,
    private readonly readSdkError: (error: unknown, refusal: Response | null) => SdkError | null,
  ) {
    if (signal.aborted) this.abort();
    else signal.addEventListener('abort', this.abort, { once: true });
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.wasTried = true;
    this.silence ??= setTimeout(() => {
      this.wasSilent = true;
      this.abort();
    }, LONGEST_SILENCE_MS);
    try {
      const response = limitedResponse(await this.access.fetch(input, { ...init, redirect: 'manual' }));
      if (!response.ok) this.refusal = response;
      return response;
    } catch (error) {
      this.transportError = error;
      throw error;
    }
  };

  /** The same messages of a stream. As long as they come and are more than pings, the attempt goes on. */
  async *heard<Message>(messages: AsyncIterable<Message>): AsyncGenerator<Message, void, undefined> {
    for await (const message of messages) {
      if (!PINGS.has(asObject(message)?.event)) this.silence?.refresh();
      yield message;
    }
  }

  readonly toFailure = (error: unknown, usage: Usage | null): ModelFailure => {
    const { transportError, wasTried, wasSilent, refusal } = this;
    const { apiKey } = this.access;
    const readSdkError = (thrown: unknown) => this.readSdkError(thrown, refusal);
    const wasAborted = this.signal.aborted;
    const now = Date.now();
    const facts = { readSdkError, apiKey, wasAborted, wasSilent, wasTried, transportError, usage, now };
    return failureOf(error, facts);
  };

  /** Lets go of the caller's signal, and of a response that nobody reads to its end. */
  end(): void {
    if (this.silence !== null) clearTimeout(this.silence);
    this.signal.removeEventListener('abort', this.abort);
    this.controller.abort();
  }
}

/** Runs one attempt to its last event, and ends it however its reader leaves. */
export async function* attempted(
  attempt: Attempt,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    yield* events;
  } finally {
    attempt.end();
  }
}
