import { playRun, type Stage } from '../play-run.js';
import type { ProductClient } from '../product-client.js';

const CUSTOMER = 'C-1001';

/** Plays scenario 1 on a running stack whose tenant has the agent `orders`: a question, then a refund with its signature. */
export async function demonstrateOrders(stage: Stage): Promise<void> {
  const { print } = stage;
  const play = (input: string) => playRun(stage, { agent: 'orders', input, subject: { id: CUSTOMER } });
  print(`# A question. The model first writes a date that the tool cannot read.`);
  await play('Which of my orders were refunded since October 1st?');
  const orderId = await placeOrder(stage.product);
  print('');
  print(`# A refund. It is the person's signature that lets it happen.`);
  await play(`Please refund order ${orderId}.`);
}

/** An order that nobody has refunded yet, from the shop that the tool calls. */
async function placeOrder(product: ProductClient): Promise<number> {
  const tool = await product.send<{ executor: { url: string } }>('GET', '/v1/tools/refund_order');
  const date = new Date().toISOString().slice(0, 10);
  const response = await fetch(new URL('/place_order', tool.executor.url), {
    method: 'POST',
    body: JSON.stringify({ arguments: { customer_id: CUSTOMER, total: '49.99', date } }),
  });
  const { orderId } = (await response.json()) as { orderId: number };
  return orderId;
}
