import { ordersAgent, orderTools } from '@countersign/examples';
import { shopRoutes } from '../../examples/orders/shop.js';
import { ShopDatabase } from '../../examples/orders/shop-database.js';
import type { Completion } from '../support/model-reply.js';
import type { StackAddress } from '../support/stack.js';
import type { ToolHandler } from '../support/tool-server.js';
import { type ExampleWorld, openExample } from './example-world.js';

export const CUSTOMER = 'C-1001';

/** The scenario's shop with its customer. */
export interface OrdersWorld extends ExampleWorld {
  readonly database: ShopDatabase;
  readonly shop: (path: string) => ToolHandler;
}

export interface WorldOptions {
  readonly stack?: StackAddress;
  /** Fields that replace those of `refund_order`; null takes a field away. */
  readonly refundTool?: Readonly<Record<string, unknown>>;
  /** Fields that replace those of both agents. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

export async function openOrders(options: WorldOptions = {}): Promise<OrdersWorld> {
  const database = new ShopDatabase();
  const world = await openExample({
    tools: (url) =>
      orderTools(url).map((tool) =>
        tool.name === 'refund_order'
          ? { ...withFields(tool, options.refundTool ?? {}), name: tool.name }
          : tool,
      ),
    routes: shopRoutes(database),
    agent: { ...ordersAgent(), ...options.agent },
    subject: { id: CUSTOMER },
    ...(options.stack === undefined ? {} : { stack: options.stack }),
  });
  return { ...world, database, shop: world.route };
}

function withFields(tool: object, fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries({ ...tool, ...fields }).filter(([, value]) => value !== null));
}

/** A reply that asks for a refund of an order. */
export function proposeRefund(id: string, orderId: number, amount: string): Completion {
  return { calls: [{ id, tool: 'refund_order', arguments: { orderId, amount, reason: 'broken' } }] };
}
