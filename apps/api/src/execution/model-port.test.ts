import {
  createAnthropicMessagesAdapter,
  createGenerateContentAdapter,
  createInteractionsAdapter,
  createOpenAiChatAdapter,
  createOpenAiResponsesAdapter,
  createScriptedAdapter,
  type ModelChoice,
  type Run,
} from '@countersign/agent-core';
import type { ResolveAccess } from '../catalog/provider-access.js';
import { Breakers } from '../governance/breakers/breakers.js';
import { builtInPrice } from '../governance/built-in-price-list.js';
import { createLog } from '../platform/log.js';
import type { Delta } from '../platform/relay.js';
import { createModelPort, type ModelPortParts } from './model-port.js';

const request = { instructions: 'Help.', conversation: [], tools: [], toolChoice: 'auto' } as const;
const deltas: Delta[] = [];
const noFetch = () => Promise.reject(new Error('nothing is fetched here'));
const unasked = () => Promise.reject(new Error('nothing failed, so nothing is asked'));
const breakers = new Breakers({
  repository: {
    standing: unasked,
    open: unasked,
    admit: unasked,
    failed: unasked,
    answered: unasked,
    undecided: unasked,
  },
  log: createLog('worker', 'silent'),
});
const access: ResolveAccess = async () => ({
  type: 'ok',
  access: { apiKey: 'sk-1', baseUrl: 'https://api.openai.com/v1', owner: 'tenant' },
});

const adapters = {
  chat: createOpenAiChatAdapter(),
  responses: createOpenAiResponsesAdapter(),
  messages: createAnthropicMessagesAdapter(),
  generateContent: createGenerateContentAdapter(),
  interactions: createInteractionsAdapter(),
  scripted: createScriptedAdapter({ hello: () => ({ text: 'hi' }) }),
};

function portWith(changes: Partial<ModelPortParts> = {}) {
  return createModelPort({
    prices: { find: async (provider, model) => builtInPrice(provider, model, 0) },
    resolveAccess: access,
    guard: { fetch: () => noFetch },
    breakers,
    adapters,
    publish: (delta) => deltas.push(delta),
    ...changes,
  });
}
const prepare = (choice: ModelChoice, changes: Partial<ModelPortParts> = {}) =>
  portWith(changes).prepare({ tenant: 'ten_a', id: 'run_1' }, choice, request);

test('a scripted call is encoded, priced, and can be sent', async () => {
  const prepared = await prepare({ provider: 'scripted', model: 'hello' });
  if (prepared.type !== 'prepared') throw new Error(prepared.type);
  expect(prepared).toMatchObject({
    api: 'scripted',
    priced: { maxOutputTokens: 4_096, priceVersion: 'builtin:scripted' },
  });
  const events: string[] = [];
  for await (const event of prepared.call.send(new AbortController().signal)) events.push(event.type);
  expect(events.at(-1)).toBe('response');
});

test.each<[ModelChoice, string, number]>([
  [{ provider: 'openai', model: 'gpt-4o-mini' }, 'chat', 16_384],
  [{ provider: 'openai', model: 'gpt-4o-mini', api: 'chat', maxOutputTokens: 100 }, 'chat', 100],
  [{ provider: 'openai', model: 'gpt-5-mini', api: 'responses' }, 'responses', 128_000],
  [{ provider: 'anthropic', model: 'claude-haiku-4-5' }, 'messages', 64_000],
  [{ provider: 'anthropic', model: 'claude-haiku-4-5', api: 'messages' }, 'messages', 64_000],
  [{ provider: 'google', model: 'gemini-2.5-flash' }, 'generateContent', 65_536],
  [{ provider: 'google', model: 'gemini-2.5-flash', api: 'interactions' }, 'interactions', 65_536],
])('%j is encoded for the API that it means or names: %s', async (choice, api, maxOutputTokens) => {
  expect(await prepare(choice)).toMatchObject({
    type: 'prepared',
    api,
    priced: { choice, maxOutputTokens },
    revision: { adapter: expect.stringContaining(api) as unknown },
  });
});

test.each<[string, ModelChoice, string, Partial<ModelPortParts>]>([
  [
    'has no price',
    { provider: 'openai', model: 'unheard-of' },
    'The model openai/unheard-of has no price.',
    {},
  ],
  ['has no bound', { provider: 'openai', model: 'o1-pro' }, 'The model o1-pro needs maxOutputTokens.', {}],
  [
    'has no adapter',
    { provider: 'google', api: 'chat', model: 'gemini-2.5-flash' },
    '"google" by its API "chat".',
    {},
  ],
  [
    'has no adapter',
    { provider: 'anthropic', api: 'responses', model: 'claude-haiku-4-5' },
    '"anthropic" by its API "responses".',
    {},
  ],
  [
    'has no key',
    { provider: 'openai', model: 'gpt-4o' },
    'There is no key.',
    { resolveAccess: async () => ({ type: 'missing', message: 'There is no key.' }) },
  ],
  [
    'is for demonstrations',
    { provider: 'scripted', model: 'hello' },
    'COUNTERSIGN_DEMO=1',
    { adapters: { ...adapters, scripted: null } },
  ],
])('a model that %s is unavailable, in words', async (_why, choice, words, changes) => {
  const outcome = await prepare(choice, changes);
  expect(outcome.type === 'unavailable' && outcome.message).toContain(words);
});

test('live text goes to those who watch the run, with the turn that it will be', () => {
  deltas.splice(0);
  const run = { tenant: 'ten_a', id: 'run_1', turns: [{}] } as unknown as Run;
  const port = portWith();
  port.publishDelta(run, { type: 'text_delta', text: 'hi' });
  port.publishDelta(run, { type: 'call_delta', index: 0, tool: 'search' });
  expect(deltas).toEqual([
    { tenant: 'ten_a', runId: 'run_1', turn: 2, text: 'hi' },
    { tenant: 'ten_a', runId: 'run_1', turn: 2, index: 0, tool: 'search' },
  ]);
});
