import { HttpToolBench, httpTool } from '../../../../test/support/http-tool-bench.js';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { DatabaseError } from '../platform/database-error.js';
import { lookBeforeActing } from '../platform/stop-signal.js';

const bench = new HttpToolBench();
afterEach(() => bench.end());
afterAll(() => bench.close());

test('a process that stood still sends nothing: it looks whether it is stopped before the first byte', async () => {
  let received = 0;
  const server = await bench.serve((_request, response) => {
    received += 1;
    response.end('{}');
  });
  const stop = new AbortController();
  lookBeforeActing(stop.signal, () => stop.abort());
  const outcome = await bench.execute(toolInvocation(httpTool(server)), stop.signal);
  expect(outcome).toMatchObject({ type: 'failed', code: 'aborted' });
  expect(received).toBe(0);
});

test.each(['unreachable', 'busy', 'failed', 'refused'] as const)(
  'trouble of the database (%s) is no failure of the tool: nothing is prepared, and so nothing intended',
  async (kind) => {
    const findSecrets = () => Promise.reject(new DatabaseError(kind, null));
    const invocation = toolInvocation({ executor: { type: 'http', url: 'http://127.0.0.1:9/' } });
    await expect(bench.prepare(invocation, { findSecrets })).rejects.toMatchObject({ kind });
  },
);
