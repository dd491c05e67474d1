import type { ModelAccess, PreparedCall } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { Attempt, attempted } from '../wire/attempt.js';
import type { GoogleRequest } from './google-client.js';
import { readGoogleError } from './google-error.js';
import type { ReplyAssembly } from './reply-assembly.js';
import { replyValues } from './reply-values.js';

/** A request to one of Google's APIs, and what its reply is put together by. */
export interface GoogleCall {
  readonly request: GoogleRequest;
  readonly access: ModelAccess;
  readonly newAssembly: () => ReplyAssembly;
}

export function prepareCall(call: GoogleCall): PreparedCall {
  const { body } = call.request;
  return {
    requestBytes: byteLength(body),
    requestDigest: digestOf(body as JsonText),
    send: (signal) => {
      let refusal: Response | null = null;
      const attempt = new Attempt(call.access, signal, (error) => readGoogleError(error, refusal));
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const response = await attempt.fetch(input, { ...init, redirect: 'manual' });
        if (!response.ok) refusal = response;
        return response;
      };
      return attempted(attempt, events(call, attempt, fetch));
    },
  };
}

/** The SDK weighs some 20 MB: it is loaded with the first call. */
async function* events(
  { request, access, newAssembly }: GoogleCall,
  attempt: Attempt,
  fetch: typeof globalThis.fetch,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = attempt.controller;
  const assembly = newAssembly();
  try {
    const { GoogleClient } = await import('./google-client.js');
    signal.throwIfAborted();
    const response = await new GoogleClient({ ...access, fetch }).post(request, signal);
    for await (const value of attempt.heard(replyValues(response))) yield* assembly.add(value);
    yield { type: 'response', response: assembly.response() };
  } catch (error) {
    yield { type: 'failure', failure: attempt.toFailure(error, assembly.usage) };
  }
}
