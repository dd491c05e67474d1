import { Stream } from '@anthropic-ai/sdk/streaming';
import { VERSION } from '@anthropic-ai/sdk/version';
import type { ModelRequest } from '../../model/conversation.js';
import type { ModelAccess, ModelAdapter } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { Attempt, attempted } from '../wire/attempt.js';
import { isJson, readJson } from '../wire/json-reply.js';
import { serverName } from '../wire/server-name.js';
import { AnthropicClient, readAnthropicError } from './anthropic-client.js';
import { type DecodeContext, decodeReply, decodeStream } from './decode.js';
import { encodeMessagesRequest } from './encode.js';

const ANTHROPIC_BASE_URL = 'https://api.anthropic.com';

/** Anthropic's Messages API. */
export function createAnthropicMessagesAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'anthropic-messages 1', sdk: `@anthropic-ai/sdk ${VERSION}` },
    prepare(request, access) {
      const baseUrl = access.baseUrl || ANTHROPIC_BASE_URL;
      const server = serverName(request.choice.provider, baseUrl);
      const body = encodeMessagesRequest(request, server);
      const prepared = { request, access: { ...access, baseUrl }, server, body };
      return {
        requestBytes: byteLength(body),
        requestDigest: digestOf(body as JsonText),
        send: (signal) => {
          const attempt = new Attempt(prepared.access, signal, readAnthropicError);
          return attempted(attempt, events(prepared, attempt));
        },
      };
    },
  };
}

interface Prepared {
  readonly request: ModelRequest;
  readonly access: ModelAccess & { readonly baseUrl: string };
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
    const client = new AnthropicClient({ ...access, fetch: attempt.fetch });
    response = await client.send(body, controller.signal);
    whole = (isJson(response) ? (await readJson(response)).text : '') as JsonText;
  } catch (error) {
    yield { type: 'failure', failure: toFailure(error, null) };
    return;
  }
  if (isJson(response)) yield* decodeReply(whole, context);
  else yield* decodeStream(attempt.heard(Stream.rawEvents(response, controller)), context);
}
