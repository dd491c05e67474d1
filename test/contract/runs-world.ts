import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { type StackAddress, sharedStack } from '../support/stack.js';
import { startToolServer, type ToolServer } from '../support/tool-server.js';
import type { RunView } from '../support/wire.js';

/** A tenant with an agent of three tools, whose model says what the test tells it. */
export interface RunsWorld {
  readonly api: Api;
  readonly tenantId: string;
  readonly model: ModelServer;
  readonly tools: ToolServer;
  start(body?: { readonly [field: string]: unknown }): Promise<RunView>;
  /** A run that waits for the signature under one call of `pay`. */
  startPayment(body?: { readonly [field: string]: unknown }): Promise<RunView>;
  /** Another tenant's client. */
  stranger(): Promise<Api>;
  close(): Promise<void>;
}

export const PAYMENT = { order: 7, amount: '12.50' };

/** `look` reads, `pay` is done once and needs a signature, `tell` answers as its handler says. */
export async function openRunsWorld(
  agent: { readonly [field: string]: unknown } = {},
  stack: StackAddress = sharedStack(),
): Promise<RunsWorld> {
  const [{ api, tenant }, tools, model] = await Promise.all([
    createTenant({}, stack),
    startToolServer(),
    startModelServer(),
  ]);
  await createTool(api, tools, {
    name: 'look',
    effect: 'read',
    parameters: { type: 'object', properties: { order: { type: 'integer' } } },
  });
  await createTool(api, tools, {
    name: 'pay',
    effect: 'once',
    intent: ['/order'],
    parameters: {
      type: 'object',
      properties: { order: { type: 'integer' }, amount: { type: 'string' } },
      required: ['order', 'amount'],
      additionalProperties: false,
    },
    money: { path: '/amount', currency: 'USD' },
    timeoutMs: 300,
  });
  tools.on('look', () => ({ status: 200, body: { status: 'shipped' } }));
  tools.on('pay', (request) => {
    tools.apply(request, { paid: true });
    return { status: 200, body: { paid: true } };
  });
  await createAgent(api, { model: testModel(model), tools: ['look', 'pay'], ...agent });
  return {
    api,
    tenantId: tenant.id,
    model,
    tools,
    start: (body) => startRun(api, body),
    startPayment: async (body) => {
      model.play([{ calls: [{ tool: 'pay', arguments: PAYMENT }] }, { text: 'Done.' }]);
      const { id } = await startRun(api, body);
      return api.waitFor(id, (run) => (run.waitingOn?.approvals.length ?? 0) > 0);
    },
    stranger: async () => (await createTenant({}, stack)).api,
    close: async () => {
      await Promise.all([tools.close(), model.close()]);
    },
  };
}
