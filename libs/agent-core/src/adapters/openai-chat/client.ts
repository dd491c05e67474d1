import { Stream } from 'openai/streaming';
import { VERSION } from 'openai/version';
import type { ModelRequest } from '../../model/conversation.js';
import type { ModelAccess, ModelAdapter } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { OPENAI_BASE_URL, OpenAiClient } from '../openai-shared/openai-client.js';
import { readOpenAiError } from '../openai-shared/openai-error.js';
import { Attempt, attempted } from '../wire/attempt.js';
import { isJson, readJson } from '../wire/json-reply.js';
import { serverName } from '../wire/server-name.js';
import { decodeReply, decodeStream } from './decode.js';
import { watchForDone } from './done-watch.js';
import { encodeChatRequest } from './encode.js';

/** Chat Completions: OpenAI's, and that of the many servers that speak it (`openai-compatible`). */
export function createOpenAiChatAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'openai-chat 1', sdk: `openai ${VERSION}` },
    prepare(request, access) {
      const { provider } = request.choice;
      const baseUrl = access.baseUrl || (provider === 'openai' ? OPENAI_BASE_URL : '');
      const server = serverName(provider, baseUrl);
      const body = encodeChatRequest(request, server);
      const prepared = { request, access: { ...access, baseUrl }, server, body };
      return {
        requestBytes: byteLength(body),
        requestDigest: digestOf(body as JsonText),
        send: (signal) => {
          const attempt = new Attempt(prepared.access, signal, readOpenAiError);
          return attempted(attempt, events(prepared, attempt));
        },
      };
    },
  };
}

interface Prepared {
  readonly request: ModelRequest;
  readonly access: ModelAccess;
  readonly server: string;
  readonly body: string;
}

async function* events(
  { request, access, server, body }: Prepared,
  attempt: Attempt,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { controller, toFailure } = attempt;
  const context = { choice: request.choice, server, toFailure };
  let client: OpenAiClient;
  let response: Response;
  let whole: unknown;
  try {
    client = new OpenAiClient({ ...access, fetch: attempt.fetch });
    response = await client.send('/chat/completions', body, controller.signal);
    if (isJson(response)) whole = (await readJson(response)).value;
  } catch (error) {
    yield { type: 'failure', failure: toFailure(error, null) };
    return;
  }
  if (isJson(response)) {
    yield* decodeReply(whole, context);
    return;
  }
  const watched = watchForDone(response);
  const chunks = Stream.fromSSEResponse<unknown>(watched.response, controller, client);
  yield* decodeStream(attempt.heard(chunks), { ...context, doneSeen: watched.doneSeen });
}
