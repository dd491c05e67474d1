import type { ModelAccess, PreparedCall } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { Attempt } from '../wire/attempt.js';
import { preparedCall } from '../wire/prepared-call.js';
import type { GoogleRequest } from './google-client.js';
import type { ReplyAssembly } from './reply-assembly.js';
import { replyValues } from './reply-values.js';

/** A request to one of Google's APIs, and what its reply is put together by. */
export interface GoogleCall {
  readonly request: GoogleRequest;
  readonly access: ModelAccess;
  readonly newAssembly: () => ReplyAssembly;
}

export function prepareCall({ request, access, newAssembly }: GoogleCall): PreparedCall {
  return preparedCall({
    access,
    body: request.body,
    loadSdk: () => import('./google-client.js'),
    open: async (attempt, { GoogleClient }) => {
      const client = new GoogleClient({ ...access, fetch: attempt.fetch });
      const response = await client.post(request, attempt.controller.signal);
      return events(response, attempt, newAssembly());
    },
  });
}

async function* events(
  response: Response,
  attempt: Attempt,
  assembly: ReplyAssembly,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    for await (const value of attempt.heard(replyValues(response))) yield* assembly.add(value);
    yield { type: 'response', response: assembly.response() };
  } catch (error) {
    yield { type: 'failure', failure: attempt.toFailure(error, assembly.usage) };
  }
}
