import type { Script } from '@countersign/agent-core';
import { ordersAgent } from './orders/agent.js';
import { ordersScript } from './orders/script.js';
import { orderTools } from './orders/tools.js';

export { type ExampleModel, ordersAgent } from './orders/agent.js';
export { type Shop, startShop } from './orders/shop-server.js';
export { orderTools } from './orders/tools.js';

/** The scripts of the `scripted` provider, by the model's name. */
export const scripts: Readonly<Record<string, Script>> = { orders: ordersScript };

/** What the seed posts for the demo's tenants: tools over the shop at this URL, and the agents that use them. */
export function demoDefinitions(shopUrl: string) {
  return { tools: orderTools(shopUrl), agents: [ordersAgent()] };
}
