import type { JsonText, ToolExecutor, ToolInvocation, ToolOutcome } from '@countersign/agent-core';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { createToolPort } from './tool-port.js';

const never = new AbortController().signal;
const port = createToolPort({
  executors: { http: answering('"http"'), builtin: answering('"builtin"') },
  reconcile: async () => ({ type: 'did_not_happen' }),
  check: async () => ({ type: 'unavailable', detail: 'none' }),
});

function answering(output: string) {
  const outcome: ToolOutcome = { type: 'succeeded', output: output as JsonText, attempts: 1 };
  return { execute: async (_invocation: ToolInvocation) => outcome };
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
