import type { ModelAccess, PreparedCall } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { Attempt, attempted } from './attempt.js';
import type { AttemptFacts } from './failure.js';

/** A request whose body is encoded, and how its API is spoken to. */
interface EncodedCall {
  readonly access: ModelAccess;
  readonly body: string;
  readonly readSdkError: AttemptFacts['readSdkError'];
  /** Sends the body, and gives the events of what comes back. May throw until it gives them; they never throw. */
  readonly open: (attempt: Attempt) => Promise<Iterable<ModelEvent> | AsyncIterable<ModelEvent>>;
}

/** The call, ready to be sent as one attempt. */
export function preparedCall({ access, body, readSdkError, open }: EncodedCall): PreparedCall {
  return {
    requestBytes: byteLength(body),
    requestDigest: digestOf(body as JsonText),
    send: (signal) => {
      const attempt = new Attempt(access, signal, readSdkError);
      return attempted(attempt, events(attempt, open));
    },
  };
}

async function* events(
  attempt: Attempt,
  open: EncodedCall['open'],
): AsyncGenerator<ModelEvent, void, undefined> {
  let opened: Iterable<ModelEvent> | AsyncIterable<ModelEvent>;
  try {
    opened = await open(attempt);
  } catch (error) {
    opened = [{ type: 'failure', failure: attempt.toFailure(error, null) }];
  }
  yield* opened;
}
