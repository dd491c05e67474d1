import { VERSION } from '@anthropic-ai/sdk/version';
import type { ModelAdapter } from '../../model/model.js';
import type { JsonText } from '../../shared/brand.js';
import { isJson, readJson } from '../wire/json-reply.js';
import { preparedCall } from '../wire/prepared-call.js';
import { serverName } from '../wire/server-name.js';
import { decodeReply, decodeStream } from './decode.js';
import { encodeMessagesRequest } from './encode.js';

const ANTHROPIC_BASE_URL = 'https://api.anthropic.com';

/** Anthropic's Messages API. */
export function createAnthropicMessagesAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'anthropic-messages 1', sdk: `@anthropic-ai/sdk ${VERSION}` },
    prepare(request, access) {
      const { choice } = request;
      const baseUrl = access.baseUrl || ANTHROPIC_BASE_URL;
      const server = serverName(choice.provider, baseUrl);
      const body = encodeMessagesRequest(request, server);
      return preparedCall({
        access,
        body,
        loadSdk: () => import('./anthropic-client.js'),
        open: async (attempt, { AnthropicClient, eventsOf }) => {
          const { controller, toFailure } = attempt;
          const context = { choice, server, toFailure };
          const client = new AnthropicClient({ ...access, baseUrl, fetch: attempt.fetch });
          const response = await client.send(body, controller.signal);
          if (isJson(response)) return decodeReply((await readJson(response)).text as JsonText, context);
          return decodeStream(attempt.heard(eventsOf(response, controller)), context);
        },
      });
    },
  };
}
