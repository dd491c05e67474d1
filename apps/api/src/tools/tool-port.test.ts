import type { EffectClass, JsonText, KnownOutcome, ToolExecutor } from '@countersign/agent-core';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { createToolPort } from './tool-port.js';

const never = new AbortController().signal;
const port = createToolPort({
  http: { execute: async () => answer('"http"') },
  builtin: { compute: () => answer('"builtin"') },
  reconcile: async () => ({ type: 'did_not_happen' }),
  check: async () => ({ type: 'unavailable', detail: 'none' }),
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
  expect(await port.execute(toolInvocation({ executor }), never)).toMatchObject(expected);
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
