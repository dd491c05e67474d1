import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  createAnthropicMessagesAdapter,
  createGenerateContentAdapter,
  createInteractionsAdapter,
  createOpenAiChatAdapter,
  createOpenAiResponsesAdapter,
} from '../index.js';

/** The files of an installed package that were loaded, save the one line that says its version. */
function loadedOf(name: string): readonly string[] {
  const folders = require.resolve(name).split(sep);
  const folder = folders.slice(0, folders.lastIndexOf('node_modules') + 1 + name.split('/').length).join(sep);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file !== 'version.js' && join(folder, file) in require.cache);
}

const sdks = [
  ['openai', [createOpenAiChatAdapter(), createOpenAiResponsesAdapter()]],
  ['@anthropic-ai/sdk', [createAnthropicMessagesAdapter()]],
  ['@google/genai', [createGenerateContentAdapter(), createInteractionsAdapter()]],
] as const;

it.each(sdks)('%s is loaded when a call is sent, and not before', async (name, adapters) => {
  const calls = adapters.map((adapter) =>
    adapter.prepare(
      {
        choice: { provider: 'openai', model: 'm' },
        maxOutputTokens: 10,
        instructions: '',
        conversation: [{ role: 'user', text: 'hello' }],
        tools: [],
        toolChoice: 'auto',
      },
      { apiKey: 'k', baseUrl: 'http://127.0.0.1', fetch: async () => new Response('{}', { status: 500 }) },
    ),
  );
  expect(loadedOf(name)).toEqual([]);
  for (const call of calls) {
    for await (const event of call.send(new AbortController().signal)) expect(event.type).toBe('failure');
  }
  expect(loadedOf(name)).not.toEqual([]);
});
