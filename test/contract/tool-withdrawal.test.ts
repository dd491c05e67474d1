import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import { startModelServer } from '../support/model-server.js';
import { approvalOf, callOf, endOf, resultsOf } from '../support/runs.js';
import { startToolServer } from '../support/tool-server.js';

jest.setTimeout(60_000);

/** An agent that proposes one refund and then explains what came of it. */
async function proposedRefund(): Promise<{
  api: Api;
  runId: string;
  refunds: () => number;
  close(): Promise<void>;
}> {
  const { api } = await createTenant();
  const tools = await startToolServer();
  const model = await startModelServer([
    { calls: [{ id: 'call_a', tool: 'refund', arguments: { orderId: 7 } }] },
    { text: 'It could not be refunded.' },
  ]);
  await createTool(api, tools, {
    name: 'refund',
    effect: 'once',
    parameters: { type: 'object', properties: { orderId: { type: 'integer' } } },
  });
  await createAgent(api, { model: testModel(model), tools: ['refund'] });
  const { id: runId } = await startRun(api);
  const close = async () => {
    await Promise.all([tools.close(), model.close()]);
  };
  return { api, runId, refunds: () => tools.requests.length, close };
}

test('a tool that is deleted while a person is asked: the approval is cancelled, nothing runs, the model is told', async () => {
  const { api, runId, refunds, close } = await proposedRefund();
  const approval = await approvalOf(api, runId);
  expect((await api.delete('/v1/tools/refund')).status).toBe(204);
  await endOf(api, runId, 'completed');
  expect(await api.expect(200, api.get(`/v1/approvals/${approval.id}`))).toMatchObject({
    status: 'cancelled',
  });
  expect(await callOf(api, runId, 'refund')).toMatchObject({
    status: 'denied',
    error: { code: 'tool_withdrawn' },
  });
  expect(await resultsOf(api, runId)).toEqual([expect.stringContaining('withdrawn')]);
  expect(refunds()).toBe(0);
  await close();
});
