import type { ModelRequest } from '../model/conversation.js';
import type { ModelAdapter } from '../model/model.js';
import type { ModelFailure } from '../model/model-event.js';
import { ask, greeting } from './ask-adapter.js';
import type { ErrorCase } from './wire-data.js';

/** What an adapter makes of a recorded error. Throws where it takes it for something else than a failure. */
export async function recordedFailure(
  adapter: ModelAdapter,
  provider: ModelRequest['choice']['provider'],
  { status, headers, body }: ErrorCase,
): Promise<ModelFailure> {
  const request = greeting(provider, 'asked-for');
  const reply = {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    pieces: [JSON.stringify(body)],
  };
  const last = (await ask({ adapter, request }, reply)).at(-1);
  if (last?.type !== 'failure') throw new Error('no failure');
  return last.failure;
}
