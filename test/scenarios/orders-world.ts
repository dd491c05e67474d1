import { ordersAgent, orderTools } from '@countersign/examples';
import { SHOP_ROUTES } from '../../examples/orders/shop.js';
import { ShopDatabase } from '../../examples/orders/shop-database.js';
import { type Api, createTenant } from '../support/client.js';
import { testModel } from '../support/definitions.js';
import type { Completion } from '../support/model-reply.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { type StackAddress, sharedStack } from '../support/stack.js';
import { startToolServer, type ToolHandler, type ToolServer } from '../support/tool-server.js';
import type { RunView } from '../support/wire.js';

const CUSTOMER = 'C-1001';

/** A tenant with the scenario's shop, tools and agent, and a model server for what the script does not say. */
export interface OrdersWorld {
  readonly api: Api;
  readonly database: ShopDatabase;
  readonly tools: ToolServer;
  readonly model: ModelServer;
  /** What the shop itself answers to a tool's call; tests put their own endings around it. */
  readonly shop: (path: string) => ToolHandler;
  /** Starts a run of `orders` (the script) or `played` (the model server) for the scenario's customer. */
  start(input: string, options?: { agent?: 'orders' | 'played'; [field: string]: unknown }): Promise<RunView>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly stack?: StackAddress;
  /** Fields that replace those of `refund_order`; null takes a field away. */
  readonly refundTool?: Readonly<Record<string, unknown>>;
  /** Fields that replace those of both agents. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

export async function openOrders(options: WorldOptions = {}): Promise<OrdersWorld> {
  const [{ api }, tools, model] = await Promise.all([
    createTenant({}, options.stack ?? sharedStack()),
    startToolServer(),
    startModelServer(),
  ]);
  const database = new ShopDatabase();
  const shop = shopHandler(database);
  for (const tool of orderTools(tools.url)) {
    const changed = tool.name === 'refund_order' ? withFields(tool, options.refundTool ?? {}) : tool;
    const created = await api.expect(201, api.post<{ signingSecret: string }>('/v1/tools', changed));
    tools.trust(tool.name, created.signingSecret);
    tools.on(tool.name, shop(`/${tool.name}`));
  }
  tools.onCheck('refund_order', shop('/refund_order/check'));
  tools.onReconcile('refund_order', shop('/refund_order/reconcile'));
  const agents = [ordersAgent(), { ...ordersAgent(), name: 'played', model: testModel(model) }];
  for (const agent of agents) {
    await api.expect(201, api.post('/v1/agents', { ...agent, ...options.agent }));
  }
  return {
    api,
    database,
    tools,
    model,
    shop,
    start: (input, { agent = 'orders', ...more } = {}) =>
      api.expect(202, api.post<RunView>('/v1/runs', { agent, input, subject: { id: CUSTOMER }, ...more })),
    close: async () => {
      await Promise.all([tools.close(), model.close()]);
    },
  };
}

function shopHandler(database: ShopDatabase): (path: string) => ToolHandler {
  return (path) => (request) => {
    const route = SHOP_ROUTES[path];
    if (route === undefined) throw new Error(`the shop has no ${path}`);
    return route(database, request.body, request.idempotencyKey ?? '');
  };
}

function withFields(tool: object, fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries({ ...tool, ...fields }).filter(([, value]) => value !== null));
}

/** A reply that asks for a refund of an order. */
export function proposeRefund(id: string, orderId: number, amount: string): Completion {
  return { calls: [{ id, tool: 'refund_order', arguments: { orderId, amount, reason: 'broken' } }] };
}
