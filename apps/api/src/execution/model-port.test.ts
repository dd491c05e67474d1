import {
  createOpenAiChatAdapter,
  createScriptedAdapter,
  type ModelChoice,
  type Run,
} from '@countersign/agent-core';
import type { ResolveAccess } from '../catalog/provider-access.js';
import { builtInPrice } from '../governance/built-in-price-list.js';
import type { Delta } from '../platform/relay.js';
import { createModelPort, type ModelPortParts } from './model-port.js';

const request = { instructions: 'Help.', conversation: [], tools: [], toolChoice: 'auto' } as const;
const deltas: Delta[] = [];
const noFetch = () => Promise.reject(new Error('nothing is fetched here'));
const access: ResolveAccess = async () => ({
  type: 'ok',
  access: { apiKey: 'sk-1', baseUrl: 'https://api.openai.com/v1', owner: 'tenant' },
});

function portWith(changes: Partial<ModelPortParts> = {}) {
  return createModelPort({
    prices: { find: async (provider, model) => builtInPrice(provider, model, 0) },
    resolveAccess: access,
    guard: { fetch: () => noFetch },
    adapters: {
      chat: createOpenAiChatAdapter(),
      scripted: createScriptedAdapter({ hello: () => ({ text: 'hi' }) }),
    },
    publish: (delta) => deltas.push(delta),
    ...changes,
  });
}
const prepare = (choice: ModelChoice, changes: Partial<ModelPortParts> = {}) =>
  portWith(changes).prepare('ten_a', choice, request);

test('a scripted call is encoded, priced, and can be sent', async () => {
  const prepared = await prepare({ provider: 'scripted', model: 'hello' });
  if (prepared.type !== 'prepared') throw new Error(prepared.message);
  expect(prepared).toMatchObject({
    api: 'scripted',
    priced: { maxOutputTokens: 4_096, priceVersion: 'builtin:scripted' },
  });
  const events: string[] = [];
  for await (const event of prepared.call.send(new AbortController().signal)) events.push(event.type);
  expect(events.at(-1)).toBe('response');
});

test.each<ModelChoice>([
  { provider: 'openai', model: 'gpt-4o-mini' },
  { provider: 'openai', model: 'gpt-4o-mini', api: 'chat', maxOutputTokens: 100 },
])('an OpenAI call is encoded for chat: %j', async (choice) => {
  const prepared = await prepare(choice);
  expect(prepared).toMatchObject({
    type: 'prepared',
    api: 'chat',
    priced: { choice, maxOutputTokens: choice.maxOutputTokens ?? 16_384 },
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
    { provider: 'anthropic', model: 'claude-opus-5' },
    'does not speak to the provider "anthropic".',
    {},
  ],
  [
    'has no adapter',
    { provider: 'openai', api: 'responses', model: 'gpt-5' },
    '"openai" by its API "responses".',
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
    { adapters: { chat: createOpenAiChatAdapter(), scripted: null } },
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
