import fc from 'fast-check';
import type { ModelRequest } from '../../model/conversation.js';
import { askLocally } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { publishedSchema } from '../../testing/openapi-schema.js';
import { continued, requests } from '../../testing/requests.js';
import { wireReplies } from '../../testing/wire-data.js';
import { serverName } from '../wire/server-name.js';
import { createAnthropicMessagesAdapter } from './client.js';
import { encodeMessagesRequest } from './encode.js';

const adapter = createAnthropicMessagesAdapter();
const server = serverName('anthropic', 'http://127.0.0.1');

const request: ModelRequest = {
  choice: { provider: 'anthropic', model: 'claude-haiku-4-5', reasoningEffort: 'low' },
  maxOutputTokens: 8_000,
  instructions: 'Be brief.',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};

/** Leaves out the blocks of a connector that is in no published schema yet. */
function withoutConnector(_: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.filter((entry: { type?: unknown } | null) => !/^mcp_tool/.test(String(entry?.type)));
}

describeRecorded('a request', (folder) => {
  const validate = publishedSchema(
    folder,
    'anthropic.messages-request.schema.json',
    '#/definitions/MessagesRequest',
  );
  /** The schema knows no temperature, which the API takes. */
  const faults = (body: string) => {
    const { temperature: _, ...rest } = JSON.parse(body, withoutConnector) as Record<string, unknown>;
    return validate(rest) ? [] : 'errors' in validate ? validate.errors : null;
  };

  it('is one that the published schema of Anthropic accepts, whatever the history', () => {
    expect(faults('{"model":"m","max_tokens":1,"messages":[{"role":"tool","content":""}]}')).not.toEqual([]);
    const models = ['claude-haiku-4-5', 'claude-opus-5', 'claude-3-haiku'];
    fc.assert(
      fc.property(requests('anthropic', models), (asked) => {
        expect(faults(encodeMessagesRequest(asked, server))).toEqual([]);
      }),
    );
  });

  const replies = wireReplies(folder, 'anthropic');

  it.each(replies.map((reply) => [reply.id, reply] as const))(
    'is one that it accepts with %s in its history',
    async (_, reply) => {
      const last = (await askLocally({ adapter, request }, reply, [reply.body])).at(-1);
      if (last?.type !== 'response') throw new Error('no response');
      const conversation = continued(last.response);
      const body = encodeMessagesRequest({ ...request, conversation }, server);
      expect(faults(body)).toEqual([]);
      expect(body.match(/"signature":\s*"[^"]/g) ?? []).toHaveLength(reply.expected.signatures);
    },
  );
});
