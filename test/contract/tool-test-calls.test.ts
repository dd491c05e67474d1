import { createTenant } from '../support/client.js';
import { startToolServer, type ToolServer } from '../support/tool-server.js';
import { expectInvalid, expectProblem } from './problem.js';

let tools: ToolServer;
beforeAll(async () => {
  tools = await startToolServer();
});
afterAll(() => tools.close());

async function registered() {
  const { api } = await createTenant();
  const created = await api.expect(
    201,
    api.post<{ signingSecret: string }>('/v1/tools', {
      name: 'refund',
      description: 'Refunds an order.',
      parameters: {
        type: 'object',
        properties: {
          customer: { type: 'string' },
          orderId: { type: 'integer' },
          why: { type: 'string', default: 'asked' },
        },
        required: ['customer', 'orderId'],
        additionalProperties: false,
      },
      effect: 'once',
      inject: { customer: '/id' },
      executor: { type: 'http', url: tools.urlOf('refund') },
    }),
  );
  tools.trust('refund', created.signingSecret);
  return api;
}

const given = { arguments: { orderId: 7 }, subject: { id: 'C-1' } };

describe('a test call of a tool', () => {
  test('goes out once, signed, with defaults and what is injected, and says what came of it', async () => {
    const api = await registered();
    tools.on('refund', () => ({ status: 200, body: { refunded: '1.00' } }));
    const before = tools.calls('refund').length;
    const answer = await api.expect(200, api.post('/v1/tools/refund/test', given));
    expect(answer).toEqual({
      status: 'succeeded',
      arguments: { customer: 'C-1', orderId: 7, why: 'asked' },
      output: { refunded: '1.00' },
      error: null,
      attempts: 1,
    });
    const calls = tools.calls('refund').slice(before);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      signature: 'valid',
      body: { context: { runId: 'test', subject: { id: 'C-1' } } },
    });
  });

  test('says failed and unknown as a run would', async () => {
    const api = await registered();
    tools.on('refund', () => ({ status: 404, body: { detail: 'no such order' } }));
    expect(await api.expect(200, api.post('/v1/tools/refund/test', given))).toMatchObject({
      status: 'failed',
      error: { code: 'tool_refused', message: expect.stringContaining('no such order') },
    });
    tools.on('refund', () => ({ status: 500 }));
    expect(await api.expect(200, api.post('/v1/tools/refund/test', given))).toMatchObject({
      status: 'unknown',
    });
  });

  test('sends nothing where the arguments do not fit, or the subject lacks what is injected', async () => {
    const api = await registered();
    const before = tools.calls('refund').length;
    const wrong = await api.post('/v1/tools/refund/test', { ...given, arguments: { orderId: 'seven' } });
    expectInvalid(wrong, '/arguments/orderId');
    expectInvalid(await api.post('/v1/tools/refund/test', { arguments: { orderId: 7 } }), '/subject');
    expect(tools.calls('refund')).toHaveLength(before);
  });

  test('of another tenant’s tool is 404', async () => {
    await registered();
    const { api } = await createTenant();
    expectProblem(await api.post('/v1/tools/refund/test', given), 404, 'not_found');
  });
});
