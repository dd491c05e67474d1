import { readFileSync } from 'node:fs';
import { endOf, messagesOf, resultsOf, toolCallsOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import { type OrdersWorld, openOrders } from './orders-world.js';

const QUESTION = 'Which of my orders were refunded since October 1st?';
const ROWS =
  '{"orders":[{"orderId":3,"status":"refunded","total":"129.00","date":"2026-10-20"},' +
  '{"orderId":2,"status":"refunded","total":"19.99","date":"2026-10-03"}]}';

describe('orders: looking up', () => {
  let world: OrdersWorld;
  beforeAll(async () => {
    world = await openOrders();
  });
  afterAll(() => world.close());

  const search = (id: string, args: object) => ({ id, tool: 'search_orders', arguments: { ...args } });

  test('a date the tool cannot read is explained by field and format, and the model corrects it', async () => {
    const run = await endOf(world.api, (await world.start(QUESTION)).id, 'completed');
    expect(await messagesOf(world.api, run.id)).toEqual([
      { role: 'user', content: QUESTION },
      {
        role: 'assistant',
        content: '',
        calls: [
          {
            callId: 'call_1',
            tool: 'search_orders',
            arguments: '{"since":"October 1st","status":"refunded"}',
          },
        ],
      },
      {
        role: 'tool',
        callId: 'call_1',
        tool: 'search_orders',
        isError: true,
        content:
          'The arguments are not valid: since: must be a date such as 2026-10-01 (got "October 1st"). ' +
          'Nothing was run. Correct them and call again.',
      },
      {
        role: 'assistant',
        content: '',
        calls: [
          {
            callId: 'call_2',
            tool: 'search_orders',
            arguments: '{"since":"2026-10-01","status":"refunded"}',
          },
        ],
      },
      { role: 'tool', callId: 'call_2', tool: 'search_orders', isError: false, content: ROWS },
      {
        role: 'assistant',
        content:
          'Refunded since October 1st: order 3 ($129.00, 2026-10-20) and order 2 ($19.99, 2026-10-03).',
      },
    ]);
    expect(run.usage).toMatchObject({ turns: 3, toolCalls: 2, toolsUsed: ['search_orders'], messages: 6 });
  });

  test("another customer's id in the arguments is overwritten by the subject's", async () => {
    world.model.play([
      { calls: [search('call_1', { customer_id: 'C-2002', since: '2026-10-01', status: 'refunded' })] },
      { text: 'Two.' },
    ]);
    const run = await endOf(world.api, (await world.start(QUESTION, { agent: 'played' })).id, 'completed');
    expect(await resultsOf(world.api, run.id)).toEqual([ROWS]);
    expect(world.tools.calls('search_orders').at(-1)?.body.arguments.customer_id).toBe('C-1001');
  });

  test('the customer is no part of what the model is told about the tools', () => {
    const offered = world.model.requests[0]?.body.tools ?? [];
    expect(offered.map((tool) => tool.function.name)).toEqual([
      'search_orders',
      'draft_refund',
      'refund_order',
    ]);
    expect(JSON.stringify(offered)).not.toContain('customer_id');
  });

  test('a rule that no schema can say comes back from the tool as words on the field', async () => {
    world.model.play([
      { calls: [search('call_1', { since: '2026-10-20', until: '2026-10-01' })] },
      { text: 'My mistake.' },
    ]);
    const run = await endOf(world.api, (await world.start(QUESTION, { agent: 'played' })).id, 'completed');
    const [result] = await resultsOf(world.api, run.id);
    expect(result).toContain('until: must not be before since (2026-10-20), got 2026-10-01');
  });

  test('a tool that does not exist is answered with the tools there are', async () => {
    world.model.play([
      { calls: [{ id: 'call_1', tool: 'delete_order', arguments: { orderId: 1 } }] },
      { text: 'I cannot delete orders.' },
    ]);
    const run = await endOf(
      world.api,
      (await world.start('Delete order 1.', { agent: 'played' })).id,
      'completed',
    );
    expect(await resultsOf(world.api, run.id)).toEqual([
      'There is no tool named "delete_order". The tools are: search_orders, draft_refund, refund_order.',
    ]);
    expect(await toolCallsOf(world.api, run.id)).toMatchObject([
      {
        status: 'denied',
        checks: { registered: 'stopped', arguments: 'not_reached', policy: 'not_reached' },
      },
    ]);
  });

  test('a reply cut at max tokens inside the arguments runs nothing and is not repaired', async () => {
    const before = world.tools.requests.length;
    world.model.play([
      { calls: [{ id: 'call_1', tool: 'search_orders', arguments: '{"since":"2026-1' }], finish: 'length' },
    ]);
    const run = await endOf(world.api, (await world.start(QUESTION, { agent: 'played' })).id, 'incomplete');
    expect(run.statusReason?.code).toBe('max_tokens');
    expect(world.tools.requests).toHaveLength(before);
    expect(await toolCallsOf(world.api, run.id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await messagesOf(world.api, run.id)).toHaveLength(3);
  });

  test('a model that never stops is stopped after the turns it may take', async () => {
    world.model.play((_, index) => ({
      calls: [search(`call_${index}`, { since: `2026-09-${String(index + 10)}` })],
    }));
    const started = await world.start(QUESTION, { agent: 'played', limits: { maxTurns: 10 } });
    const run = await endOf(world.api, started.id, 'failed');
    expect(run.statusReason?.code).toBe('turn_limit');
    expect(run.usage).toMatchObject({ turns: 10, modelCalls: 10, toolCalls: 10 });
    expect(await toolCallsOf(world.api, run.id)).toHaveLength(10);
  });

  test('a database that is down inside a tool: retried, then failed, in words without internals', async () => {
    const internals = 'connect ECONNREFUSED 10.0.0.7:5432 user=shop password=hunter2';
    world.tools.on('search_orders', () => ({
      status: 500,
      headers: { 'content-type': 'application/problem+json' },
      body: { title: 'Internal Server Error', detail: internals, stack: 'at Connection (db.js:12)' },
    }));
    const before = world.tools.calls('search_orders').length;
    world.model.play([
      { calls: [search('call_1', { since: '2026-09-01' })] },
      { text: 'The shop is closed.' },
    ]);
    const run = await endOf(world.api, (await world.start(QUESTION, { agent: 'played' })).id, 'completed');
    world.tools.on('search_orders', world.shop('/search_orders'));

    expect(world.tools.calls('search_orders')).toHaveLength(before + 3);
    const [call] = await toolCallsOf(world.api, run.id);
    expect(call).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'tool_unavailable' } });
    expect(JSON.stringify(await messagesOf(world.api, run.id))).not.toMatch(
      /ECONNREFUSED|5432|hunter2|db\.js/,
    );
    const logs = sharedStack().logFiles.map((file) => readFileSync(file, 'utf8'));
    expect(logs.some((log) => log.includes(call?.id ?? '?') && log.includes('tool_unavailable'))).toBe(true);
  });
});
