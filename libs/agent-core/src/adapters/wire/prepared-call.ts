import type { ModelAccess, PreparedCall } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { Attempt, attempted } from './attempt.js';
import type { SdkError } from './failure.js';

/** What an adapter makes of its provider's SDK. */
interface LoadedSdk {
  /**
   * Says what an error of the SDK means; null where it is none, or no more than a broken connection. `refusal` is the
   * response whose HTTP status is no success, or null: not every SDK's errors carry its headers.
   */
  readonly readSdkError: (error: unknown, refusal: Response | null) => SdkError | null;
}

/** A request whose body is encoded, and how its API is spoken to. */
interface EncodedCall<Sdk extends LoadedSdk> {
  readonly access: ModelAccess;
  readonly body: string;
  /** With the first call: an SDK takes time and memory (Google's some 20 MB) that not every process has use for. */
  readonly loadSdk: () => Promise<Sdk>;
  /** Sends the body, and gives the events of what comes back. May throw until it gives them; they never throw. */
  readonly open: (attempt: Attempt, sdk: Sdk) => Promise<Events>;
}

type Events = Iterable<ModelEvent> | AsyncIterable<ModelEvent>;

/** The call, ready to be sent as one attempt. */
export function preparedCall<Sdk extends LoadedSdk>(call: EncodedCall<Sdk>): PreparedCall {
  const { access, body, loadSdk, open } = call;
  return {
    requestBytes: byteLength(body),
    requestDigest: digestOf(body as JsonText),
    send: (signal) => {
      // Until the SDK is there, no error is the SDK's.
      let sdk: Sdk | null = null;
      const attempt = new Attempt(
        access,
        signal,
        (error, refusal) => sdk?.readSdkError(error, refusal) ?? null,
      );
      const opened = async () => {
        sdk = await loadSdk();
        attempt.controller.signal.throwIfAborted();
        return open(attempt, sdk);
      };
      return attempted(attempt, events(attempt, opened));
    },
  };
}

async function* events(
  attempt: Attempt,
  open: () => Promise<Events>,
): AsyncGenerator<ModelEvent, void, undefined> {
  let opened: Events;
  try {
    opened = await open();
  } catch (error) {
    opened = [{ type: 'failure', failure: attempt.toFailure(error, null) }];
  }
  yield* opened;
}
