import { VERSION } from 'openai/version';
import type { ModelAdapter } from '../../model/model.js';
import type { JsonText } from '../../shared/brand.js';
import { baseUrlOf } from '../openai-shared/base-url.js';
import { isJson, readJson } from '../wire/json-reply.js';
import { preparedCall } from '../wire/prepared-call.js';
import { serverName } from '../wire/server-name.js';
import { decodeReply, decodeStream } from './decode.js';
import { encodeResponsesRequest } from './encode.js';

/** OpenAI's Responses API, and that of the servers that speak it; without state on the provider's side. */
export function createOpenAiResponsesAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'openai-responses 1', sdk: `openai ${VERSION}` },
    prepare(request, access) {
      const { choice } = request;
      const baseUrl = baseUrlOf(choice.provider, access);
      const server = serverName(choice.provider, baseUrl);
      const body = encodeResponsesRequest(request, server);
      return preparedCall({
        access,
        body,
        loadSdk: () => import('../openai-shared/openai-client.js'),
        open: async (attempt, { messagesOf, OpenAiClient }) => {
          const { controller, toFailure } = attempt;
          const context = { choice, server, toFailure };
          const client = new OpenAiClient({ ...access, baseUrl, fetch: attempt.fetch });
          const response = await client.send('/responses', body, controller.signal);
          if (isJson(response)) return decodeReply((await readJson(response)).text as JsonText, context);
          return decodeStream(attempt.heard(messagesOf(response, controller)), context);
        },
      });
    },
  };
}
