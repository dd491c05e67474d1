import type {
  EffectClass,
  JsonText,
  KnownOutcome,
  ToolDefinition,
  ToolExecutor,
} from '@countersign/agent-core';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { createToolPort } from './tool-port.js';

const never = new AbortController().signal;
const ANSWERED = {
  type: 'response',
  status: 200,
  headers: {},
  body: Buffer.from('"http"'),
  complete: true,
  cut: false,
} as const;
let prepared = 0;
const port = createToolPort({
  prepareSigned: async () => {
    prepared += 1;
    return async () => ({ type: 'ended', meaning: 'ran', attempts: 1, result: ANSWERED });
  },
  builtin: { compute: () => answer('"builtin"') },
});
beforeEach(() => {
  prepared = 0;
});

function answer(output: string): KnownOutcome {
  return { type: 'succeeded', output: output as JsonText, attempts: 1 };
}

test.each<[ToolExecutor, object]>([
  [
    { type: 'http', url: 'http://127.0.0.1:9/' },
    { type: 'succeeded', output: '"http"' },
  ],
  [
    { type: 'builtin', handler: 'echo' },
    { type: 'succeeded', output: '"builtin"' },
  ],
  [
    { type: 'mcp', server: 'files', tool: 'list' },
    { type: 'failed', code: 'executor_unavailable', attempts: 0 },
  ],
  [{ type: 'client' }, { type: 'failed', code: 'executor_unavailable', attempts: 0 }],
])('%j goes to the executor that it names, or nothing runs', async (executor, expected) => {
  const { execute } = await port.prepare(toolInvocation({ executor }));
  expect(await execute(never)).toMatchObject(expected);
});

test.each<[string, number, Partial<ToolDefinition>]>([
  ['an http tool', 1, { executor: { type: 'http', url: 'http://127.0.0.1:9/' } }],
  ['a builtin tool', 0, { executor: { type: 'builtin', handler: 'echo' } }],
  [
    'a builtin tool with facts',
    1,
    { executor: { type: 'builtin', handler: 'echo' }, check: { url: 'http://a/' } },
  ],
])('%s asks the database for its secrets %i times', async (_what, times, definition) => {
  await port.prepare(toolInvocation({ check: null, reconcile: null, ...definition }));
  expect(prepared).toBe(times);
});

test.each<[ToolExecutor, EffectClass, boolean]>([
  [{ type: 'builtin', handler: 'echo' }, 'read', true],
  [{ type: 'builtin', handler: 'echo' }, 'idempotent', false],
  [{ type: 'builtin', handler: 'echo' }, 'once', false],
  [{ type: 'http', url: 'http://127.0.0.1:9/' }, 'read', false],
  [{ type: 'mcp', server: 'files', tool: 'list' }, 'read', false],
  [{ type: 'client' }, 'read', false],
])('%j with effect %s is computed at once: %s', (executor, effect, atOnce) => {
  expect(port.compute(toolInvocation({ executor, effect })) !== null).toBe(atOnce);
});
