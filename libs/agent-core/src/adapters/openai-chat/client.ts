import { VERSION } from 'openai/version';
import type { ModelAdapter } from '../../model/model.js';
import { baseUrlOf } from '../openai-shared/base-url.js';
import { isJson, readJson } from '../wire/json-reply.js';
import { preparedCall } from '../wire/prepared-call.js';
import { serverName } from '../wire/server-name.js';
import { decodeReply, decodeStream } from './decode.js';
import { watchForDone } from './done-watch.js';
import { encodeChatRequest } from './encode.js';
import { readChunk, readChunks } from './read-chunk.js';

/** Chat Completions: OpenAI's, and that of the many servers that speak it (`openai-compatible`). */
export function createOpenAiChatAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'openai-chat 1', sdk: `openai ${VERSION}` },
    prepare(request, access) {
      const { choice } = request;
      const baseUrl = baseUrlOf(choice.provider, access);
      const server = serverName(choice.provider, baseUrl);
      const body = encodeChatRequest(request, server);
      return preparedCall({
        access,
        body,
        loadSdk: () => import('../openai-shared/openai-client.js'),
        open: async (attempt, { messagesOf, OpenAiClient }) => {
          const { controller, toFailure } = attempt;
          const context = { choice, server, toFailure };
          const client = new OpenAiClient({ ...access, baseUrl, fetch: attempt.fetch });
          const response = await client.send('/chat/completions', body, controller.signal);
          if (isJson(response)) return decodeReply(readChunk((await readJson(response)).text), context);
          const watched = watchForDone(response);
          const messages = attempt.heard(messagesOf(watched.response, controller));
          let isDone = false;
          const chunks = readChunks(messages, () => {
            isDone = true;
          });
          return decodeStream(chunks, { ...context, doneSeen: () => isDone || watched.doneSeen() });
        },
      });
    },
  };
}
