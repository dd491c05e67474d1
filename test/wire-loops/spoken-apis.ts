import type { Api } from '../support/client.js';
import { testModel } from '../support/definitions.js';
import type { ModelServer, SentMessage } from '../support/model-server.js';

/** What a request's history holds: ids, arguments and texts, in the order in which they were sent. */
interface SentBack {
  readonly calls: readonly (readonly [id: string, tool: string, args: unknown])[];
  readonly results: readonly (readonly [id: string, text: unknown])[];
  /** Signatures, or encrypted reasoning. */
  readonly signatures: number;
}

export interface SpokenApi {
  /** As the folders of recordings have it. */
  readonly name: string;
  /** The server as an agent's model; a key for it is stored where the provider takes one. */
  choose(api: Api, server: ModelServer): Promise<object>;
  sentBack(rawBody: string): SentBack;
}

interface Block {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly tool_use_id: string;
  readonly content: unknown;
  readonly signature?: string;
  readonly call_id: string;
  readonly arguments: string;
  readonly output: unknown;
  readonly encrypted_content?: string | null;
}

interface Part {
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly id: string; readonly response: { readonly output: string } };
}

const ofType = (blocks: readonly Block[], type: string) => blocks.filter((block) => block.type === type);

export const spokenApis: readonly SpokenApi[] = [
  {
    name: 'openai-chat',
    choose: async (_, server) => testModel(server),
    sentBack: (rawBody) => {
      const { messages } = JSON.parse(rawBody) as { messages: readonly SentMessage[] };
      const calls = messages.flatMap((message) => message.tool_calls ?? []);
      const results = messages.filter((message) => message.role === 'tool');
      return {
        calls: calls.map(({ id, function: { name, arguments: args } }) => [id, name, JSON.parse(args)]),
        results: results.map((message) => [message.tool_call_id ?? '', message.content]),
        signatures: 0,
      };
    },
  },
  {
    name: 'openai-responses',
    choose: async (_, server) => ({ ...testModel(server), api: 'responses' }),
    sentBack: (rawBody) => {
      const { input } = JSON.parse(rawBody) as { input: readonly Block[] };
      return {
        calls: ofType(input, 'function_call').map((item) => [
          item.call_id,
          item.name,
          JSON.parse(item.arguments),
        ]),
        results: ofType(input, 'function_call_output').map((item) => [item.call_id, item.output]),
        signatures: input.filter((item) => (item.encrypted_content ?? '') !== '').length,
      };
    },
  },
  {
    name: 'anthropic',
    choose: async (api, server) => {
      const baseUrl = server.baseUrl.replace(/\/v1$/, '');
      await api.put('/v1/providers/anthropic', { apiKey: 'key-of-the-tenant', baseUrl });
      return { provider: 'anthropic', model: 'claude-haiku-4-5', maxOutputTokens: 1_000 };
    },
    sentBack: (rawBody) => {
      const { messages } = JSON.parse(rawBody) as { messages: readonly { content: readonly Block[] }[] };
      const blocks = messages.flatMap(({ content }) => content);
      return {
        calls: ofType(blocks, 'tool_use').map(({ id, name, input }) => [id, name, input]),
        results: ofType(blocks, 'tool_result').map(({ tool_use_id, content }) => [tool_use_id, content]),
        signatures: blocks.filter(({ signature }) => signature !== undefined).length,
      };
    },
  },
  {
    name: 'gemini',
    choose: async (api, server) => {
      const baseUrl = server.baseUrl.replace(/\/v1$/, '');
      await api.put('/v1/providers/google', { apiKey: 'key-of-the-tenant', baseUrl });
      return { provider: 'google', model: 'gemini-3.5-flash', maxOutputTokens: 1_000 };
    },
    sentBack: (rawBody) => {
      const { contents } = JSON.parse(rawBody) as { contents: readonly { parts: readonly Part[] }[] };
      const parts = contents.flatMap((content) => content.parts);
      return {
        calls: parts.flatMap(({ functionCall: call }) =>
          call === undefined ? [] : [[call.id, call.name, call.args] as const],
        ),
        results: parts.flatMap(({ functionResponse: result }) =>
          // A text that was recorded as an object.
          result === undefined ? [] : [[result.id, JSON.parse(result.response.output)] as const],
        ),
        signatures: parts.filter(({ thoughtSignature }) => thoughtSignature !== undefined).length,
      };
    },
  },
];
