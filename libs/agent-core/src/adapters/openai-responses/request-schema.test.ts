import fc from 'fast-check';
import type { ModelRequest } from '../../model/conversation.js';
import { askLocally } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { publishedSchema } from '../../testing/openapi-schema.js';
import { continued, requests } from '../../testing/requests.js';
import { wireReplies } from '../../testing/wire-data.js';
import { serverName } from '../wire/server-name.js';
import { createOpenAiResponsesAdapter } from './client.js';
import { encodeResponsesRequest } from './encode.js';

const adapter = createOpenAiResponsesAdapter();
const server = serverName('openai', 'http://127.0.0.1');

const request: ModelRequest = {
  choice: { provider: 'openai', model: 'gpt-5-mini', reasoningEffort: 'low' },
  maxOutputTokens: 8_000,
  instructions: 'Be brief.',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};

describeRecorded('a request', (folder) => {
  const validate = publishedSchema(folder, 'openai.openapi.json', '#/components/schemas/CreateResponse');
  const faults = (body: string) => {
    return validate(JSON.parse(body)) ? [] : 'errors' in validate ? validate.errors : null;
  };

  it('is one that the published schema of OpenAI accepts, whatever the history', () => {
    expect(faults('{"model":"m","input":[{"type":"function_call","name":"x"}]}')).not.toEqual([]);
    const models = ['gpt-5-mini', 'gpt-4o'];
    fc.assert(
      fc.property(requests('openai', models), (asked) => {
        expect(faults(encodeResponsesRequest(asked, server))).toEqual([]);
      }),
    );
  });

  const replies = wireReplies(folder, 'openai-responses').filter(({ status }) => status === 200);

  it.each(replies.map((reply) => [reply.id, reply] as const))(
    'is one that it accepts with %s in its history',
    async (_, reply) => {
      const last = (await askLocally({ adapter, request }, reply, [reply.body])).at(-1);
      if (last?.type !== 'response') throw new Error('no response');
      const conversation = continued(last.response);
      const body = encodeResponsesRequest({ ...request, conversation }, server);
      expect(faults(body)).toEqual([]);
      expect(body.match(/"encrypted_content":\s*"[^"]/g) ?? []).toHaveLength(reply.expected.signatures);
    },
  );
});
