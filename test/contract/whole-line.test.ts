import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import type { ModelServer } from '../support/model-server.js';
import { approve, callOf, endOf, messagesOf, toolCallsOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import type { ToolServer } from '../support/tool-server.js';

/** 2.00 and 8.00 dollars a million tokens: 1,000 in and 100 out, then 2,000 in (500 of them cached at 0.50) and 50 out. */
const USAGES = [
  { prompt_tokens: 1_000, completion_tokens: 100 },
  { prompt_tokens: 2_000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 500 } },
];
const COSTS = ['0.0028', '0.00365'];
const TOTAL = '0.00645';
const REFUND = { orderId: 7, amount: '49.99' };

test('one run from the request to the last cent: asked, signed, done once, recorded whole', () =>
  withServers(({ tools, model }) => wholeLine(tools, model)));

async function wholeLine(tools: ToolServer, model: ModelServer): Promise<void> {
  const { tenant, api } = await createTenant();
  model.play([
    { calls: [{ id: 'call_a', tool: 'refund', arguments: REFUND }], usage: USAGES[0] },
    { text: 'Order 7 was refunded.', usage: USAGES[1] },
  ]);
  await createTool(api, tools, {
    name: 'refund',
    effect: 'once',
    parameters: {
      type: 'object',
      properties: { orderId: { type: 'integer' }, amount: { type: 'string' } },
      required: ['orderId', 'amount'],
    },
  });
  tools.on('refund', (request) => {
    tools.apply(request, { refundId: 'r-1' });
    return { status: 200, body: { refundId: 'r-1' } };
  });
  await createAgent(api, { model: testModel(model), tools: ['refund'] });

  const started = await startRun(api, { input: 'Refund order 7.' });
  const approval = await approve(api, started.id);
  expect(approval).toMatchObject({ tool: 'refund', arguments: REFUND, effect: 'once', status: 'pending' });
  const run = await endOf(api, started.id, 'completed');

  expect(run.output).toBe('Order 7 was refunded.');
  expect(run.usage).toMatchObject({
    turns: 2,
    modelCalls: 2,
    toolCalls: 1,
    toolsUsed: ['refund'],
    inputTokens: 3_000,
    cachedInputTokens: 500,
    outputTokens: 150,
    estimated: false,
  });

  const call = await callOf(api, run.id, 'refund');
  expect(call).toMatchObject({ status: 'succeeded', attempts: 1, arguments: REFUND });
  const sent = tools.calls('refund');
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ signature: 'valid', idempotencyKey: call.ids.idempotencyKey });
  expect(sent[0]?.body).toEqual({
    tool: 'refund',
    arguments: REFUND,
    context: {
      tenant: tenant.id,
      runId: run.id,
      toolCallId: call.id,
      operationId: run.operationId,
      subject: null,
    },
  });
  expect(tools.effects).toEqual(new Map([[call.ids.idempotencyKey, 1]]));

  const events = await api.events(run.id);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(run.seq).toBe(events.length);
  expect(events.map((event) => event.type)).toEqual([
    'run.queued',
    'run.started',
    'model.responded',
    'approval.requested',
    'run.waiting',
    'approval.decided',
    'run.resumed',
    'tool.started',
    'tool.succeeded',
    'model.responded',
    'run.finished',
  ]);

  await expectInPostgres(tenant.id, run.id);
  expect(await toolCallsOf(api, run.id)).toHaveLength(1);
  expect((await messagesOf(api, run.id)).map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
}

/** Every message, call, decision and cent is a row; sums are made by Postgres, in exact decimals. */
async function expectInPostgres(tenant: string, runId: string): Promise<void> {
  const { database } = sharedStack();
  const rows = <Row>(sql: string): Promise<Row[]> => database.query<Row>(sql, [tenant, runId]);
  const of = 'WHERE tenant_id = $1 AND run_id = $2';

  expect(await rows(`SELECT role FROM messages ${of} ORDER BY turn, position`)).toEqual(
    ['user', 'assistant', 'tool', 'assistant'].map((role) => ({ role })),
  );
  expect(
    await rows(`SELECT trim_scale(cost_usd)::text AS cost, input_tokens::int AS input, output_tokens::int AS output
                  FROM model_calls ${of} ORDER BY turn`),
  ).toEqual([
    { cost: COSTS[0], input: 1_000, output: 100 },
    { cost: COSTS[1], input: 2_000, output: 50 },
  ]);
  expect(await rows(`SELECT tool, status FROM tool_calls ${of}`)).toEqual([
    { tool: 'refund', status: 'succeeded' },
  ]);
  expect(await rows(`SELECT state, tool FROM effects ${of}`)).toEqual([
    { state: 'succeeded', tool: 'refund' },
  ]);
  expect(await rows(`SELECT status FROM approvals ${of}`)).toEqual([{ status: 'approved' }]);
  expect(
    await rows(`SELECT d.decision, d.by_type FROM approval_decisions d
                  JOIN approvals a ON a.tenant_id = d.tenant_id AND a.id = d.approval_id
                 WHERE a.tenant_id = $1 AND a.run_id = $2`),
  ).toEqual([{ decision: 'approve', by_type: 'key' }]);
  expect(
    await rows(`SELECT trim_scale(r.cost_usd)::text AS run,
                       trim_scale((SELECT sum(cost_usd) FROM model_calls m WHERE m.run_id = r.id))::text AS calls,
                       r.status, r.seq,
                       (SELECT count(*)::int FROM run_events e WHERE e.run_id = r.id) AS events
                  FROM runs r WHERE r.tenant_id = $1 AND r.id = $2`),
  ).toEqual([{ run: TOTAL, calls: TOTAL, status: 'completed', seq: 11, events: 11 }]);
}
