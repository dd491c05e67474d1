import { _iterSSEMessages } from 'openai/core/streaming';
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
import { type DecodeContext, decodeReply, decodeStream } from './decode.js';
import { encodeResponsesRequest } from './encode.js';

/** OpenAI's Responses API, and that of the servers that speak it; without state on the provider's side. */
export function createOpenAiResponsesAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'openai-responses 1', sdk: `openai ${VERSION}` },
    prepare(request, access) {
      const { provider } = request.choice;
      const baseUrl = access.baseUrl || (provider === 'openai' ? OPENAI_BASE_URL : '');
      const server = serverName(provider, baseUrl);
      const body = encodeResponsesRequest(request, server);
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
  const context: DecodeContext = { choice: request.choice, server, toFailure };
  let response: Response;
  let whole: JsonText;
  try {
    const client = new OpenAiClient({ ...access, fetch: attempt.fetch });
    response = await client.send('/responses', body, controller.signal);
    whole = (isJson(response) ? (await readJson(response)).text : '') as JsonText;
  } catch (error) {
    yield { type: 'failure', failure: toFailure(error, null) };
    return;
  }
  // The messages as text: the SDK's own stream would parse them, and the digits of what goes back would be lost.
  if (isJson(response)) yield* decodeReply(whole, context);
  else yield* decodeStream(attempt.heard(_iterSSEMessages(response, controller)), context);
}
